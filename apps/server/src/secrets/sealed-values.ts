/**
 * The keys that seal values in the database. If a key is missing, a portal can't renew HMRC's tokens or check an operator's second factor.
 */
import type { Db } from '@portal/db/database.ts';
import {
  advances,
  approvalRequests,
  authenticators,
  bankAccounts,
  booksConnections,
  booksGrants,
  clientEmails,
  waitingBooksGrants,
  webhookEndpoints,
  hmrcConnections,
  invoiceRefunds,
  mailboxes,
  operatorBankAccounts,
  payoutReleases,
  payouts,
} from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { isNotNull, sql } from '@portal/db/sql.ts';
import type { Logger } from 'pino';
import type { TokenCipher } from './token-cipher.ts';

/** How many values a key seals. The id is part of each value and reveals nothing about the key. */
export type KeyUsage = { readonly keyId: string; readonly values: number; readonly isConfigured: boolean };

const COLUMNS = [
  authenticators.secret,
  operatorBankAccounts.sealed,
  hmrcConnections.accessToken,
  hmrcConnections.refreshToken,
  payouts.orderSeal,
  payoutReleases.seal,
  bankAccounts.seal,
  advances.termsSeal,
  advances.sealedApprovals,
  approvalRequests.seal,
  invoiceRefunds.orderSeal,
  mailboxes.accessToken,
  mailboxes.refreshToken,
  clientEmails.sealed,
  booksConnections.accessToken,
  booksConnections.refreshToken,
  booksGrants.accessToken,
  booksGrants.refreshToken,
  waitingBooksGrants.accessToken,
  waitingBooksGrants.refreshToken,
  webhookEndpoints.secret,
  webhookEndpoints.formerSecret,
];

/** Lists every key that seals a stored value, most used first. Emails and headers in queued jobs aren't counted. */
export async function listKeyUses(db: Db, { keyIds }: Pick<TokenCipher, 'keyIds'>): Promise<KeyUsage[]> {
  const counts = new Map<string, number>();
  for (const column of COLUMNS) {
    const rows = await db
      .select({ keyId: sql<string>`split_part(${column}, '.', 1)`, values: sql`count(*)`.mapWith(Number) })
      .from(column.table)
      .where(isNotNull(column))
      .groupBy(sql`1`);
    for (const { keyId, values } of rows) counts.set(keyId, (counts.get(keyId) ?? 0) + values);
  }
  return [...counts]
    .map(([keyId, values]) => ({ keyId, values, isConfigured: keyIds.includes(keyId) }))
    .toSorted((a, b) => b.values - a.values);
}

/** Describes how to fix values that none of the configured keys can open, or returns undefined if there are none. */
export function describeMissingKeys(uses: readonly KeyUsage[]): string | undefined {
  const missingKeys = uses.filter(({ isConfigured }) => !isConfigured);
  if (missingKeys.length === 0) return undefined;
  const keyList = missingKeys.map(({ keyId, values }) => `${keyId} (seals ${values} values)`).join(', ');
  return `TOKEN_ENCRYPTION_KEYS doesn’t contain keys that seal values in this database: ${keyList}. Use the same setting as the other portal instances. Keep a key at the end of the list until nothing is sealed with it`;
}

/**
 * Throws if none of the stored values can be decrypted, because the keys then belong to another installation. If only some can't be, most
 * work continues, so this is merely logged.
 */
export async function assertKeysOpenDatabase(db: Db, cipher: Pick<TokenCipher, 'keyIds'>, logger: Logger): Promise<void> {
  const uses = await listKeyUses(db, cipher);
  const problem = describeMissingKeys(uses);
  if (problem === undefined) return;
  if (uses.every(({ isConfigured }) => !isConfigured)) throw new AppError('conflict', 'secrets.wrong_keys', `${problem}.`);
  logger.error({ key_uses: uses }, `secrets: ${problem}`);
}
