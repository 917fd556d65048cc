/**
 * Re-encrypts with the newest key everything encrypted with an older key or by an older version, so that the older key can be removed from
 * the settings within the hour. A value that can't be opened is left unchanged and doesn't stop the others; the job fails at the end.
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
import { tryEach } from '../jobs/try-each.ts';
import { resealFacts } from './reseal-facts.ts';
import type { SealContext, TokenCipher } from './token-cipher.ts';

export async function resealSecrets({ database: { db }, tokenCipher }: AppDeps): Promise<void> {
  const steps = [
    () => resealAccounts(db, tokenCipher),
    () => resealWebhookSecrets(db, tokenCipher),
    () => resealClientEmails(db, tokenCipher),
    () => resealFacts(db, tokenCipher),
    () => resealTokens(db, tokenCipher, hmrcConnections, 'hmrc'),
    () => resealTokens(db, tokenCipher, mailboxes, 'mailbox'),
    () => resealTokens(db, tokenCipher, booksConnections, 'books'),
    () => resealGrants(db, tokenCipher),
  ];
  await tryEach(steps, (step) => step());
}

const reseal = (cipher: TokenCipher, sealedValue: string, sealContext: SealContext): string =>
  cipher.seal(cipher.open(sealedValue, sealContext), sealContext);

// Each update applies only if the row hasn't changed: a value written in the meantime already uses the newest key.

/** Reseals users' authenticator secrets and operators' own bank accounts. */
async function resealAccounts(db: Db, cipher: TokenCipher): Promise<void> {
  const oldSecrets = (await db.select().from(authenticators)).filter(({ secret }) => !cipher.isNewest(secret));
  const oldAccounts = (await db.select().from(operatorBankAccounts)).filter(({ sealed }) => !cipher.isNewest(sealed));
  const resealSecret = async ({ userId, secret }: (typeof oldSecrets)[number]) => {
    await db
      .update(authenticators)
      .set({ secret: reseal(cipher, secret, `authenticator:${userId}`) })
      .where(and(eq(authenticators.userId, userId), eq(authenticators.secret, secret)));
  };
  const resealAccount = async ({ id, userId, sealed }: (typeof oldAccounts)[number]) => {
    await db
      .update(operatorBankAccounts)
      .set({ sealed: reseal(cipher, sealed, `operator_account:${userId}`) })
      .where(and(eq(operatorBankAccounts.id, id), eq(operatorBankAccounts.sealed, sealed)));
  };
  const steps = [() => tryEach(oldSecrets, resealSecret), () => tryEach(oldAccounts, resealAccount)];
  await tryEach(steps, (step) => step());
}

async function resealWebhookSecrets(db: Db, cipher: TokenCipher): Promise<void> {
  await tryEach(await db.select().from(webhookEndpoints), async ({ companyId, id, secret, formerSecret }) => {
    if (cipher.isNewest(secret) && (formerSecret === null || cipher.isNewest(formerSecret))) return;
    const place = `webhook_secret:${companyId}:${id}` as const;
    await db
      .update(webhookEndpoints)
      .set({
        secret: reseal(cipher, secret, place),
        formerSecret: formerSecret === null ? null : reseal(cipher, formerSecret, place),
      })
      .where(and(eq(webhookEndpoints.companyId, companyId), eq(webhookEndpoints.id, id), eq(webhookEndpoints.secret, secret)));
  });
}

async function resealClientEmails(db: Db, cipher: TokenCipher): Promise<void> {
  const waitingEmails = await db.select().from(clientEmails).where(isNotNull(clientEmails.sealed));
  await tryEach(waitingEmails, async ({ companyId, id, sealed }) => {
    if (sealed === null || cipher.isNewest(sealed)) return;
    await db
      .update(clientEmails)
      .set({ sealed: reseal(cipher, sealed, `client_email:${companyId}:${id}`) })
      .where(and(eq(clientEmails.companyId, companyId), eq(clientEmails.id, id), eq(clientEmails.sealed, sealed)));
  });
}

/** Reseals the tokens of each company's connection to a provider. */
async function resealTokens(
  db: Db,
  cipher: TokenCipher,
  table: typeof hmrcConnections | typeof mailboxes | typeof booksConnections,
  owner: 'hmrc' | 'mailbox' | 'books',
): Promise<void> {
  const { companyId, accessToken, refreshToken } = table;
  const grantedRows = await db
    .select({ companyId, accessToken, refreshToken })
    .from(table)
    .where(and(isNotNull(accessToken), isNotNull(refreshToken)));
  await tryEach(grantedRows, async (grant) => {
    if (grant.accessToken === null || grant.refreshToken === null) return;
    if (cipher.isNewest(grant.accessToken) && cipher.isNewest(grant.refreshToken)) return;
    await db
      .update(table)
      .set({
        accessToken: reseal(cipher, grant.accessToken, `${owner}_access_token:${grant.companyId}`),
        refreshToken: reseal(cipher, grant.refreshToken, `${owner}_refresh_token:${grant.companyId}`),
      })
      .where(and(eq(companyId, grant.companyId), eq(accessToken, grant.accessToken), eq(refreshToken, grant.refreshToken)));
  });
}

/** Reseals practices' tokens for each bookkeeping product. */
async function resealGrants(db: Db, cipher: TokenCipher): Promise<void> {
  await tryEach(await db.select().from(booksGrants), async ({ companyId, provider, accessToken, refreshToken }) => {
    if (accessToken === null || refreshToken === null) return;
    if (cipher.isNewest(accessToken) && cipher.isNewest(refreshToken)) return;
    const owner = getGrantOwner({ companyId, provider });
    await db
      .update(booksGrants)
      .set({
        accessToken: reseal(cipher, accessToken, `books_access_token:${owner}`),
        refreshToken: reseal(cipher, refreshToken, `books_refresh_token:${owner}`),
      })
      .where(
        and(
          eq(booksGrants.companyId, companyId),
          eq(booksGrants.provider, provider),
          eq(booksGrants.accessToken, accessToken),
          eq(booksGrants.refreshToken, refreshToken),
        ),
      );
  });
}
