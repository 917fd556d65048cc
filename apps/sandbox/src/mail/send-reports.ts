/**
 * Sends reports on accepted messages to their envelope sender, as a real mail server does: delivery status notifications (RFC 3464) and
 * feedback reports (RFC 5965), by SMTP to the portal's port.
 */
import { createTransport } from 'nodemailer';
import type { SMTPServerEnvelope } from 'smtp-server';

/** The report port follows clamd's, which follows the mail server's. */
export const REPORT_PORT_OFFSET = 2;
/** A documentation domain (RFC 2606), as in all of the sandbox's email addresses. */
export const SANDBOX_BOUNCE_DOMAIN = 'bounces.portal.example';

const SERVER_NAME = 'mail.sandbox.example';
/** Shortly after the message was accepted. */
const REPORT_AFTER_MS = 300;
const MAX_RETRIES = 5;

type ReportStatus = { readonly action: 'failed' | 'delayed'; readonly status: string; readonly diagnostic: string };

/** The outcome for a message, by the prefix of its recipient’s email address. */
const STATUSES: Readonly<Record<string, ReportStatus>> = {
  'bounces-': { action: 'failed', status: '5.1.1', diagnostic: 'smtp; 550 5.1.1 No such user here' },
  'full-': { action: 'failed', status: '5.2.2', diagnostic: 'smtp; 552 5.2.2 The mailbox is full' },
  'blocks-': { action: 'failed', status: '5.7.1', diagnostic: 'smtp; 550 5.7.1 Message rejected by policy' },
  'expires-': { action: 'failed', status: '4.4.7', diagnostic: 'smtp; 421 4.4.7 Delivery time expired' },
  'delayed-': { action: 'delayed', status: '4.4.1', diagnostic: 'smtp; 421 4.4.1 No answer from host' },
};
const COMPLAINS_PREFIX = 'complains-';

export type ReportSender = { send(envelope: SMTPServerEnvelope): void; close(): void };

export function createReportSender(port: number, afterMs = REPORT_AFTER_MS): ReportSender {
  const timers = new Set<NodeJS.Timeout>();
  const runLater = (work: () => Promise<void>): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      void work();
    }, afterMs);
    timers.add(timer);
  };
  const attempt = async (to: string, raw: string, remaining: number): Promise<void> => {
    const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true, connectionTimeout: 2_000 });
    try {
      // A report has an empty envelope sender, to prevent replies to it (RFC 3464 section 2).
      await transport.sendMail({ envelope: { from: '', to }, raw });
    } catch (error) {
      // The portal may be restarting. After a permanent rejection or the last try, a mail server gives up on a report.
      const code = (error as { responseCode?: number }).responseCode ?? 0;
      if (code < 500 && remaining > 0) runLater(() => attempt(to, raw, remaining - 1));
    } finally {
      transport.close();
    }
  };
  return {
    send: ({ mailFrom, rcptTo }) => {
      const sender = mailFrom ? mailFrom.address : '';
      if (!sender.toLowerCase().endsWith(`@${SANDBOX_BOUNCE_DOMAIN}`)) return;
      for (const { address } of rcptTo) {
        const rawReport = composeReport(sender, address);
        if (rawReport !== undefined) runLater(() => attempt(sender, rawReport, MAX_RETRIES));
      }
    },
    close: () => timers.forEach((timer) => clearTimeout(timer)),
  };
}

/** Returns undefined for an email address whose mail is delivered. */
export function composeReport(sender: string, recipient: string): string | undefined {
  if (recipient.startsWith(COMPLAINS_PREFIX)) return composeComplaint(sender, recipient);
  const matchedStatus = Object.entries(STATUSES).find(([start]) => recipient.startsWith(start));
  return matchedStatus && composeStatus(sender, recipient, matchedStatus[1]);
}

const MIME_BOUNDARY = 'sandbox-report';

function composeStatus(sender: string, recipient: string, { action, status, diagnostic }: ReportStatus): string {
  const subject = action === 'failed' ? 'Undelivered Mail Returned to Sender' : 'Delayed Mail (still being retried)';
  const fields = `Reporting-MTA: dns; ${SERVER_NAME}\n\nFinal-Recipient: rfc822; ${recipient}\nAction: ${action}\nStatus: ${status}\nDiagnostic-Code: ${diagnostic}\n`;
  return compose({ type: 'delivery-status', sender, subject, text: `Your message to ${recipient}: ${action}.`, fields });
}

function composeComplaint(sender: string, recipient: string): string {
  const fields = `Feedback-Type: abuse\nUser-Agent: Sandbox/1.0\nVersion: 1\nOriginal-Mail-From: <${sender}>\nOriginal-Rcpt-To: <${recipient}>\n`;
  return compose({ type: 'feedback-report', sender, subject: 'Complaint', text: 'This is an email abuse report.', fields });
}

type Report = { readonly type: string; readonly sender: string; readonly subject: string; readonly text: string; readonly fields: string };

function compose({ type, sender, subject, text, fields }: Report): string {
  const lines = [
    `From: Mail Delivery System <MAILER-DAEMON@${SERVER_NAME}>`,
    `To: ${sender}`,
    `Subject: ${subject}`,
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=${type}; boundary="${MIME_BOUNDARY}"`,
    '',
    `--${MIME_BOUNDARY}`,
    'Content-Type: text/plain; charset=us-ascii',
    '',
    text,
    '',
    `--${MIME_BOUNDARY}`,
    `Content-Type: message/${type}`,
    '',
    fields,
    `--${MIME_BOUNDARY}`,
    'Content-Type: message/rfc822',
    '',
    `Return-Path: <${sender}>`,
    'Subject: The original message',
    '',
    'Its text, which isn’t read.',
    '',
    `--${MIME_BOUNDARY}--`,
    '',
  ];
  return lines.join('\n').replaceAll(/\r?\n/g, '\r\n');
}
