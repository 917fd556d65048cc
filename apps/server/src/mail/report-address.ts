/** Gives each email whose bounce matters its own envelope sender (VERP), where reports about it are sent. */
import type { Database } from '@portal/db/database.ts';
import { reportAddresses } from '@portal/db/schema/schema.ts';
import type { Clock } from '@portal/domain/clock.ts';
import { createHash, randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Mailer, OutgoingEmail } from './mailer.ts';

type ReportAddressDeps = { readonly database: Database; readonly wallClock: Clock; readonly logger: Logger };

/** Mail servers may change the case of an address, so the token is hexadecimal. */
const TOKEN_BYTES = 16;
const LOCAL_PART = 'bounce+';
/**
 * Complaints are sent to an address that we register with the mailbox provider (RFC 5965 section 2), and contain the email's envelope
 * sender.
 */
export const COMPLAINTS_LOCAL_PART = 'complaints';

export const toReportAddress = (token: string, domain: string): string => `${LOCAL_PART}${token}@${domain}`;

export const hashReportToken = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Returns the token in one of our addresses, in lower case, or undefined for any other address. */
export function findReportToken(address: string, domain: string): string | undefined {
  const lowerCaseAddress = address.trim().toLowerCase();
  const token = new RegExp(`^bounce\\+([0-9a-f]{${TOKEN_BYTES * 2}})@`).exec(lowerCaseAddress)?.[1];
  return token !== undefined && lowerCaseAddress === toReportAddress(token, domain.toLowerCase()) ? token : undefined;
}

/** The only place that sends email. Without a domain for reports, emails keep the sender's own address. */
export function withReportAddresses(mailer: Mailer, deps: ReportAddressDeps, domain: string | undefined): Mailer {
  if (domain === undefined) return mailer;
  return {
    ...mailer,
    send: async (email, id) => mailer.send({ ...email, ...(await createReturnPath(deps, email, domain)) }, id),
  };
}

/** Stored before sending, because a report may arrive before the mail server's reply. */
async function createReturnPath(
  { database, wallClock, logger }: ReportAddressDeps,
  { to, sentFor }: OutgoingEmail,
  domain: string,
): Promise<Pick<OutgoingEmail, 'returnPath'>> {
  if (!sentFor) return {};
  const token = randomBytes(TOKEN_BYTES).toString('hex');
  const { companyId, message, invitation, clientEmailId = null } = sentFor;
  const row = {
    companyId,
    tokenHash: hashReportToken(token),
    email: to.toLowerCase(),
    ...message,
    invitation: invitation ?? null,
    clientEmailId,
  };
  try {
    await database.db.insert(reportAddresses).values({ ...row, createdAt: wallClock.now() });
  } catch (error) {
    // The email matters more than reports about it, so send it anyway.
    logger.warn({ err: error }, 'an email was sent without an address for reports');
    return {};
  }
  return { returnPath: toReportAddress(token, domain) };
}
