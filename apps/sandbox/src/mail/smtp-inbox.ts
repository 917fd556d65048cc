/** The sandbox's SMTP server. Everything the portal sends goes to the mailbox, and nothing leaves this computer. */
import { callbackify } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import type { FaultKind, Faults } from '../simulator/faults.ts';
import type { Mailbox, ReceivedEmail } from './mailbox.ts';
import { parseEmail } from './parse-email.ts';
import { createReportSender } from './send-reports.ts';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';

export type SmtpInbox = { readonly port: number; close(): Promise<void> };

/** Addresses with this prefix don't exist, so that rejections can be tested. */
const REFUSED_PREFIX = 'no-such-mailbox';

const SIZE_LIMIT_BYTES = 10 * 1024 * 1024;

/**
 * Rejects when the port is in use. Addresses that begin with “no-such-mailbox” are rejected permanently (SMTP 550); those in
 * send-reports.ts are accepted, and a report follows. The fault `mail.send` makes the next messages fail with SMTP 451 (after storing the
 * message for `timeout_after_work`).
 */
export async function openSmtpInbox(
  mailbox: Mailbox,
  faults: Faults,
  port: number,
  { host, reportPort }: { readonly host: string; readonly reportPort: number },
): Promise<SmtpInbox> {
  const reports = createReportSender(reportPort);
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    size: SIZE_LIMIT_BYTES,
    // Closes idle connections quickly, because the portal keeps its connection open between messages.
    closeTimeout: 200,
    onAuth: (auth, _session, callback) => callback(null, { user: auth.username ?? 'anyone' }),
    onRcptTo: ({ address }, _session, callback) =>
      callback(address.startsWith(REFUSED_PREFIX) ? createSmtpError(550, 'No such mailbox here.') : null),
    onData: (stream, session, callback) => {
      // smtp-server resets `session.envelope` when it sends the response.
      const { envelope } = session;
      const receiveEmail = async (): Promise<undefined> => receive(mailbox, faults, stream, session);
      callbackify(receiveEmail)((error) => {
        callback(error);
        if (!error) reports.send(envelope);
      });
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  // Without a listener, a client that disconnects mid-command would crash this process.
  server.on('error', () => undefined);
  const address = server.server.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    close: async () => {
      reports.close();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function receive(mailbox: Mailbox, faults: Faults, stream: SMTPServerDataStream, session: SMTPServerSession): Promise<undefined> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream as AsyncIterable<Uint8Array>) chunks.push(chunk);
  if (stream.sizeExceeded) throw createSmtpError(552, 'The message is larger than 10 MB.');
  const mail = await parse(Buffer.concat(chunks), session);
  const kind = faults.takeFault('mail.send');
  if (kind === 'slow') await pause(faults.delays.slowMs);
  if (kind === undefined || !REJECTING_FAULTS.has(kind)) mailbox.receive(mail);
  if (kind === 'timeout_after_work') await pause(faults.delays.hangMs);
  if (kind !== undefined && (REJECTING_FAULTS.has(kind) || LOST_RESPONSE_FAULTS.has(kind))) {
    throw createSmtpError(451, 'The mailbox is not available; try again later.');
  }
}

/**
 * Faults of `mail.send` that reject the message, and faults that store it but report a failure to the sender. SMTP responses have no body to
 * change.
 */
const REJECTING_FAULTS: ReadonlySet<FaultKind> = new Set(['too_many', 'too_many_later', 'server_error', 'html_page']);
const LOST_RESPONSE_FAULTS: ReadonlySet<FaultKind> = new Set(['timeout_after_work', 'cut_off']);

/** Takes the recipients from the SMTP envelope, because the To header may differ. */
async function parse(raw: Uint8Array, session: SMTPServerSession): Promise<ReceivedEmail> {
  const sender = session.envelope.mailFrom ? session.envelope.mailFrom.address : '';
  const mail = await parseEmail(raw);
  return { ...mail, to: session.envelope.rcptTo.map(({ address }) => address), from: mail.from || sender };
}

function createSmtpError(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
