/**
 * Re-encrypts with the newest key everything encrypted with an older key or by an older version, so that the older key can be removed from
 * the settings within the hour.
 */
import type { Db } from '@portal/db/database.ts';
import {
  authenticators,
  booksConnections,
  booksGrants,
  clientEmails,
  hmrcConnections,
  mailboxes,
  operatorBankAccounts,
  webhookEndpoints,
} from '@portal/db/schema/schema.ts';
import { and, eq, isNotNull } from '@portal/db/sql.ts';
import type { AppDeps } from '../app-deps.ts';
import { getGrantOwner } from '../features/books-connection/find-books-grant.ts';
import { resealFacts } from './reseal-facts.ts';
import type { SealContext, TokenCipher } from './token-cipher.ts';

export async function resealSecrets({ database: { db }, tokenCipher }: AppDeps): Promise<void> {
  const reseal = (sealedValue: string, sealContext: SealContext): string =>
    tokenCipher.seal(tokenCipher.open(sealedValue, sealContext), sealContext);
  // Updates a row only if it hasn't changed: a token refreshed in the meantime already uses the newest key.
  for (const { userId, secret } of await db.select().from(authenticators)) {
    if (tokenCipher.isNewest(secret)) continue;
    await db
      .update(authenticators)
      .set({ secret: reseal(secret, `authenticator:${userId}`) })
      .where(and(eq(authenticators.userId, userId), eq(authenticators.secret, secret)));
  }
  for (const { id, userId, sealed } of await db.select().from(operatorBankAccounts)) {
    if (tokenCipher.isNewest(sealed)) continue;
    await db
      .update(operatorBankAccounts)
      .set({ sealed: reseal(sealed, `operator_account:${userId}`) })
      .where(and(eq(operatorBankAccounts.id, id), eq(operatorBankAccounts.sealed, sealed)));
  }
  for (const { companyId, id, secret, formerSecret } of await db.select().from(webhookEndpoints)) {
    if (tokenCipher.isNewest(secret) && (formerSecret === null || tokenCipher.isNewest(formerSecret))) continue;
    const place = `webhook_secret:${companyId}:${id}` as const;
    await db
      .update(webhookEndpoints)
      .set({ secret: reseal(secret, place), formerSecret: formerSecret === null ? null : reseal(formerSecret, place) })
      .where(and(eq(webhookEndpoints.companyId, companyId), eq(webhookEndpoints.id, id), eq(webhookEndpoints.secret, secret)));
  }
  for (const { companyId, id, sealed } of await db.select().from(clientEmails).where(isNotNull(clientEmails.sealed))) {
    if (sealed === null || tokenCipher.isNewest(sealed)) continue;
    await db
      .update(clientEmails)
      .set({ sealed: reseal(sealed, `client_email:${companyId}:${id}`) })
      .where(and(eq(clientEmails.companyId, companyId), eq(clientEmails.id, id), eq(clientEmails.sealed, sealed)));
  }
  await resealFacts(db, tokenCipher);
  await resealTokens(db, tokenCipher, hmrcConnections, 'hmrc');
  await resealTokens(db, tokenCipher, mailboxes, 'mailbox');
  await resealTokens(db, tokenCipher, booksConnections, 'books');
  await resealGrants(db, tokenCipher);
}

/** Reseals the tokens of each company's connection to a provider. */
async function resealTokens(
  db: Db,
  cipher: TokenCipher,
  table: typeof hmrcConnections | typeof mailboxes | typeof booksConnections,
  owner: 'hmrc' | 'mailbox' | 'books',
): Promise<void> {
  const { companyId, accessToken, refreshToken } = table;
  const reseal = (sealedValue: string, sealContext: SealContext): string => cipher.seal(cipher.open(sealedValue, sealContext), sealContext);
  const grantedRows = await db
    .select({ companyId, accessToken, refreshToken })
    .from(table)
    .where(and(isNotNull(accessToken), isNotNull(refreshToken)));
  for (const grant of grantedRows) {
    if (grant.accessToken === null || grant.refreshToken === null) continue;
    if (cipher.isNewest(grant.accessToken) && cipher.isNewest(grant.refreshToken)) continue;
    await db
      .update(table)
      .set({
        accessToken: reseal(grant.accessToken, `${owner}_access_token:${grant.companyId}`),
        refreshToken: reseal(grant.refreshToken, `${owner}_refresh_token:${grant.companyId}`),
      })
      .where(and(eq(companyId, grant.companyId), eq(accessToken, grant.accessToken), eq(refreshToken, grant.refreshToken)));
  }
}

/** Reseals practices' tokens for each bookkeeping product. */
async function resealGrants(db: Db, cipher: TokenCipher): Promise<void> {
  const reseal = (sealedValue: string, sealContext: SealContext): string => cipher.seal(cipher.open(sealedValue, sealContext), sealContext);
  for (const { companyId, provider, accessToken, refreshToken } of await db.select().from(booksGrants)) {
    if (accessToken === null || refreshToken === null) continue;
    if (cipher.isNewest(accessToken) && cipher.isNewest(refreshToken)) continue;
    const owner = getGrantOwner({ companyId, provider });
    await db
      .update(booksGrants)
      .set({
        accessToken: reseal(accessToken, `books_access_token:${owner}`),
        refreshToken: reseal(refreshToken, `books_refresh_token:${owner}`),
      })
      .where(
        and(
          eq(booksGrants.companyId, companyId),
          eq(booksGrants.provider, provider),
          eq(booksGrants.accessToken, accessToken),
          eq(booksGrants.refreshToken, refreshToken),
        ),
      );
  }
}
