/** Tests that the simulated mail server's reports follow RFC 3464 and RFC 5965, and go only to the message's envelope sender. */
import { createTransport } from 'nodemailer';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '@portal/domain/clock.ts';
import { openFaults } from '../simulator/faults.ts';
import { openSimulatorStore } from '../simulator/simulator-store.ts';
import { openMailbox } from './mailbox.ts';
import { openSmtpInbox, type SmtpInbox } from './smtp-inbox.ts';

type ReceivedReport = { readonly from: string; readonly to: string; readonly raw: Buffer };

const receivedReports: ReceivedReport[] = [];
const BOUNCE_ADDRESS = 'bounce+0123456789abcdef0123456789abcdef@bounces.portal.example';
let portal: SMTPServer;
let inbox: SmtpInbox;

beforeAll(async () => {
  portal = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    closeTimeout: 200,
    onData: (stream, { envelope }, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : '';
        receivedReports.push({ from, to: envelope.rcptTo[0]?.address ?? '', raw: Buffer.concat(chunks) });
        callback();
      });
    },
  });
  await new Promise<void>((resolve) => portal.listen(0, '127.0.0.1', resolve));
  const address = portal.server.address();
  const reportPort = typeof address === 'object' && address ? address.port : 0;
  const store = openSimulatorStore(':memory:');
  inbox = await openSmtpInbox(openMailbox(store, systemClock), openFaults(store), 0, { host: '127.0.0.1', reportPort });
});
afterAll(async () => {
  await inbox.close();
  await new Promise<void>((resolve) => portal.close(() => resolve()));
});

async function send(from: string, to: string): Promise<void> {
  const transport = createTransport({ host: '127.0.0.1', port: inbox.port, ignoreTLS: true });
  await transport.sendMail({ envelope: { from, to }, raw: `From: a@portal.example\r\nTo: ${to}\r\nSubject: Hello\r\n\r\nHello\r\n` });
  transport.close();
}

async function parse({ raw }: ReceivedReport) {
  const { headers, attachments } = await PostalMime.parse(raw, { forceRfc822Attachments: true, attachmentEncoding: 'utf8' });
  const type = headers.find(({ key }) => key === 'content-type')?.value ?? '';
  return { type, parts: attachments.map(({ mimeType, content }) => [mimeType, typeof content === 'string' ? content : ''] as const) };
}

it.each([
  ['bounces-a@client.example', 'failed', '5.1.1'],
  ['full-a@client.example', 'failed', '5.2.2'],
  ['blocks-a@client.example', 'failed', '5.7.1'],
  ['expires-a@client.example', 'failed', '4.4.7'],
  ['delayed-a@client.example', 'delayed', '4.4.1'],
])('%s gets a delivery status: %s, %s', async (recipient, action, status) => {
  receivedReports.length = 0;
  await send(BOUNCE_ADDRESS, recipient);
  await expect.poll(() => receivedReports.length, { timeout: 8_000 }).toBe(1);
  const [report] = receivedReports;
  if (!report) throw new Error('no report');
  // RFC 3464 section 2: the report's own envelope sender is empty.
  expect([report.from, report.to]).toEqual(['', BOUNCE_ADDRESS]);
  const { type, parts } = await parse(report);
  expect(type).toMatch(/^multipart\/report;.*report-type=delivery-status/);
  expect(parts.map(([mimeType]) => mimeType)).toEqual(['message/delivery-status', 'message/rfc822']);
  // Section 2.1: fields about the message, a blank line, fields about the recipient.
  const [messageFields = '', recipientFields = ''] = (parts[0]?.[1] ?? '').trim().split(/\r?\n\r?\n/);
  expect(messageFields).toMatch(/^Reporting-MTA: dns; /);
  expect(recipientFields).toContain(`Final-Recipient: rfc822; ${recipient}`);
  expect(recipientFields).toContain(`Action: ${action}`);
  expect(recipientFields).toContain(`Status: ${status}`);
});

it('mail to complains-… gets a feedback report, and mail that arrives or has another envelope sender gets none', async () => {
  receivedReports.length = 0;
  await send(BOUNCE_ADDRESS, 'arrives-a@client.example');
  await send('no-reply@portal.example', 'bounces-a@client.example');
  await send(BOUNCE_ADDRESS, 'complains-a@client.example');
  await expect.poll(() => receivedReports.length, { timeout: 8_000 }).toBe(1);
  const [report] = receivedReports;
  if (!report) throw new Error('no report');
  const { type, parts } = await parse(report);
  expect(type).toMatch(/report-type=feedback-report/);
  // RFC 5965 section 3.1: these three fields are required.
  for (const field of ['Feedback-Type: abuse', 'User-Agent: ', 'Version: 1']) expect(parts[0]?.[1]).toContain(field);
  expect(parts[0]?.[1]).toContain(`Original-Mail-From: <${BOUNCE_ADDRESS}>`);
});
