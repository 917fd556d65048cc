/**
 * Receives reports about our email by SMTP on a local port, from the mail server for the domain of our envelope senders. It accepts email
 * only for tokens that are still valid and sends nothing, so mail can't loop (RFC 3834).
 */
import { callbackify } from 'node:util';
import type { MailReport } from '@portal/domain/mail-reports/delivery-failure.ts';
import type { Logger } from 'pino';
import { SMTPServer, type SMTPServerAddress, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { parseReport } from './parse-report.ts';
import { COMPLAINTS_LOCAL_PART, findReportToken } from './report-address.ts';

export type ReportSettings = { readonly domain: string; readonly host: string; readonly port: number };

export type ReportReceiver = {
  readonly isLive: (token: string) => Promise<boolean>;
  /** `repeated`: the report has already been applied. `unknown`: no email has this token. */
  readonly apply: (token: string, report: MailReport) => Promise<'applied' | 'repeated' | 'unknown'>;
  /** Counts the reports received. */
  readonly count: (kind: MailReport['kind'] | 'repeated' | 'other' | 'malformed' | 'refused') => void;
  readonly logger: Logger;
};

export type ReportInbox = { readonly port: number; close(): Promise<void> };

const MAX_BYTES = 256 * 1024;
const MAX_CONNECTIONS = 20;
/** Recipients per minute, including unknown ones. */
const MAX_PER_MINUTE = 600;
const MINUTE_MS = 60_000;
const IDLE_TIMEOUT_MS = 30_000;

/** Rejects if the port is in use. */
export async function openReportInbox({ domain, host, port }: ReportSettings, receiver: ReportReceiver): Promise<ReportInbox> {
  const mayArrive = createMinuteLimit();
  const complaints = `${COMPLAINTS_LOCAL_PART}@${domain.toLowerCase()}`;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: MAX_BYTES,
    maxClients: MAX_CONNECTIONS,
    socketTimeout: IDLE_TIMEOUT_MS,
    closeTimeout: 500,
    onRcptTo: (address, session, callback) => {
      const check = async (): Promise<undefined> => {
        if (!mayArrive()) throw createSmtpError(451, '4.7.1 Too many reports. Try again later.');
        // Each report is about one email. Senders repeat the rest automatically (RFC 5321 section 4.5.3.1.10).
        if (session.envelope.rcptTo.length > 0) throw createSmtpError(452, '4.5.3 One recipient for each message.');
        await checkRecipient(address, receiver, { domain, complaints });
      };
      reply(check, receiver, callback);
    },
    onData: (stream, session, callback) => {
      reply(async () => receive(stream, session, receiver, { domain, complaints }), receiver, callback);
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  // Without a listener, an error from a client that disconnects mid-command would end the process.
  server.on('error', () => undefined);
  const listening = server.server.address();
  return {
    port: typeof listening === 'object' && listening ? listening.port : port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

type Addresses = { readonly domain: string; readonly complaints: string };

async function checkRecipient({ address }: SMTPServerAddress, receiver: ReportReceiver, { domain, complaints }: Addresses): Promise<void> {
  if (address.toLowerCase() === complaints) return;
  const token = findReportToken(address, domain);
  if (token !== undefined && (await receiver.isLive(token))) return;
  receiver.count('refused');
  throw createSmtpError(550, '5.1.1 No such address.');
}

async function receive(
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
  receiver: ReportReceiver,
  { domain, complaints }: Addresses,
): Promise<undefined> {
  const rawEmail = await readAll(stream);
  if (rawEmail === undefined) {
    receiver.count('refused');
    throw createSmtpError(552, '5.3.4 The report is larger than 256 kB.');
  }
  const parsed = await parseReport(rawEmail);
  if (parsed.kind === 'malformed') {
    receiver.count('malformed');
    receiver.logger.warn({ bytes: rawEmail.length }, 'a report about our mail could not be read');
    throw createSmtpError(554, '5.6.0 The report can’t be read.');
  }
  const to = session.envelope.rcptTo[0]?.address.toLowerCase() ?? '';
  const reportedAddress = to === complaints ? (parsed.kind === 'report' && parsed.about) || '' : to;
  const token = findReportToken(reportedAddress, domain);
  if (to === complaints && (token === undefined || parsed.kind !== 'report' || parsed.report.kind !== 'complaint')) {
    receiver.count('refused');
    throw createSmtpError(550, '5.7.1 This isn’t a report about one of our emails.');
  }
  if (parsed.kind !== 'report' || token === undefined) {
    receiver.count('other');
    return undefined;
  }
  const outcome = await receiver.apply(token, parsed.report);
  receiver.count(outcome === 'applied' ? parsed.report.kind : outcome === 'repeated' ? 'repeated' : 'refused');
  if (outcome === 'unknown') throw createSmtpError(550, '5.1.1 No such address.');
  return undefined;
}

/** Returns undefined if the message is too large. Even then, reads it to the end, because senders don't accept a reply before that. */
async function readAll(stream: SMTPServerDataStream): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size <= MAX_BYTES) chunks.push(chunk);
  }
  return size > MAX_BYTES || stream.sizeExceeded ? undefined : Buffer.concat(chunks);
}

/** After an unexpected failure, such as a lost database, the sender retries later. */
function reply(work: () => Promise<undefined>, { logger }: ReportReceiver, callback: (error?: Error | null) => void): void {
  callbackify(work)((error: (Error & { responseCode?: number }) | null) => {
    if (!error || error.responseCode !== undefined) return callback(error);
    logger.error({ err: error }, 'a report about our mail was not stored');
    callback(createSmtpError(451, '4.3.0 Try again later.'));
  });
}

function createMinuteLimit(): () => boolean {
  let minute = 0;
  let count = 0;
  return () => {
    const now = Math.floor(performance.now() / MINUTE_MS);
    if (now !== minute) [minute, count] = [now, 0];
    count += 1;
    return count <= MAX_PER_MINUTE;
  };
}

function createSmtpError(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
