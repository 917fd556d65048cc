/**
 * Sends one email over SMTP. Don't use it directly: enqueue `mail.send` in the transaction, so that an email is neither lost nor sent for a
 * change that was rolled back.
 */
import { createTransport } from 'nodemailer';
import { toDisplayName } from './display-name.ts';
import { getHeaders } from './mail-headers.ts';
import { attachLogo } from './practice-logo.ts';

/** `html` is only missing in emails queued by an earlier version. */
export type OutgoingEmail = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /**
   * Set for an email from a practice, which shows the practice's name and sends it the replies. `isAutomatic`: the portal wrote the text.
   */
  readonly author?: { readonly name: string; readonly replyTo: string; readonly isAutomatic?: true };
  /** The practice whose logo is shown. The logo is attached when the email is sent (add-logo.ts), so that queued emails stay small. */
  readonly logoOf?: string;
  /** A PNG shown in the HTML. */
  readonly logo?: Uint8Array;
  /** The URL that stops emails of this kind in one click. */
  readonly unsubscribeUrl?: string;
  /** What the email was sent for, so that a bounce can be traced to it. Absent if bounces don't matter. */
  readonly sentFor?: SentFor;
  /** The envelope sender, if it isn't the sender's own address. */
  readonly returnPath?: string;
};

export type SentFor = {
  /** The practice or company that the email is sent for. */
  readonly companyId: string;
  readonly message?: { readonly messageId: string; readonly clientId: string; readonly attemptId: string };
  /** Its row in `client_emails`. */
  readonly clientEmailId?: string;
  /** The hash of the link in it, if it invites a client's user. */
  readonly invitation?: string;
  /** The recipient must get this email, for example a receipt, so it is sent even if earlier emails bounced. */
  readonly isEssential?: true;
};

/** `id` is the job's ID. If a job runs again because its process died before storing the result, the email has the same message ID. */
export type Mailer = {
  send(mail: OutgoingEmail, id: string): Promise<void>;
  close(): void;
  /** The sender's address. */
  readonly address: string;
};

/** Connects and logs in, without sending anything. */
export async function checkMailServer(smtpUrl: string): Promise<void> {
  const transport = createTransport({ url: smtpUrl, connectionTimeout: 5_000, socketTimeout: 10_000 });
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

/** The mail server permanently rejects the address, for example because the mailbox doesn't exist. Resending doesn't help. */
export class RecipientRefusedError extends Error {
  override readonly name = 'RecipientRefusedError';
}

/** Returns whether this is a permanent rejection of the recipient: RFC 5321 section 4.2.1, code 5yz in reply to RCPT TO. */
function isRecipientRefused(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { command, responseCode } = error as { command?: unknown; responseCode?: unknown };
  return command === 'RCPT TO' && typeof responseCode === 'number' && responseCode >= 500;
}

export function createMailer(settings: { smtpUrl: string; from: string }): Mailer {
  const transport = createTransport({ url: settings.smtpUrl, connectionTimeout: 5_000, socketTimeout: 10_000 });
  const domain = /@([^>\s]+)/.exec(settings.from)?.[1] ?? 'localhost';
  return {
    send: async (email, id) => {
      const sentMail = transport.sendMail({
        from: email.author === undefined ? settings.from : { name: toDisplayName(email.author.name), address: parseAddress(settings.from) },
        ...(email.author === undefined ? {} : { replyTo: email.author.replyTo }),
        to: email.to,
        ...(email.returnPath === undefined ? {} : { envelope: { from: email.returnPath, to: email.to } }),
        subject: email.subject,
        text: email.text,
        ...(email.html === undefined ? {} : { html: email.html }),
        ...attachLogo(email.logo),
        messageId: `<${id}@${domain}>`,
        // A message that a practice member wrote isn't automatic.
        headers: getHeaders({ ...email, isAutomatic: email.author === undefined || email.author.isAutomatic === true }),
      });
      await sentMail.catch((error: unknown) => {
        throw isRecipientRefused(error) ? new RecipientRefusedError('The mail server rejected the address.', { cause: error }) : error;
      });
    },
    close: () => transport.close(),
    address: parseAddress(settings.from),
  };
}

/** Extracts the email address from "Name <address>". */
export function parseAddress(sender: string): string {
  return /<([^<>]+)>\s*$/.exec(sender)?.[1] ?? sender.trim();
}
