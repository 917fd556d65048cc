/**
 * Handles bookkeeping software that rejects our access token: records it once and, in the same transaction, notifies those who can
 * reconnect it.
 */
import type { Tx } from '@portal/db/database.ts';
import { booksConnections, booksGrants, companies, practiceOrganisations } from '@portal/db/schema/schema.ts';
import { and, eq, isNull, ne, sql } from '@portal/db/sql.ts';
import { BOOKS_PROVIDER_NAMES, type BooksEndReason } from '@portal/domain/connected-books/books-providers.ts';
import type { AppDeps } from '../../app-deps.ts';
import { listRolesWith } from '../../http/policies.ts';
import { enqueueEmailToRoles } from '../../mail/enqueue-email.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { listAdminIds, notify } from '../staff-notifications/notify.ts';
import { recordTaxpayerAudit } from '../vat-returns/taxpayer.ts';
import { type BooksConnectionRow, isSameConnection } from './find-books-connection.ts';
import { type BooksGrantKey, getGrantOwner, isSameGrant } from './find-books-grant.ts';
import { getBooksPath, getPracticeBooksPath } from './books-paths.ts';
import { notifyOfClient, notifyOfLostOrganisations } from './notify-of-books.ts';

const EXPLANATIONS: Readonly<Record<BooksEndReason, (providerName: string, organisation: string) => string>> = {
  refused: (providerName) =>
    `${providerName} no longer accepts our permission to read the books. Either someone withdrew the permission there, or the person who gave it no longer has access.`,
  expired: (providerName) => `The permission to read the books expired, because we didn’t read ${providerName} for too long.`,
  removed: (providerName, organisation) => `Someone removed our access to ${organisation} in ${providerName}.`,
};

/** `tokens`: the tokens that the software rejected. If another worker has since renewed them, access hasn't ended. */
export type BooksEnding =
  | { readonly reason: 'removed' }
  | { readonly reason: 'refused' | 'expired'; readonly tokens: { readonly access: string } | { readonly sealedRefresh: string } };

type Tokens = Pick<BooksConnectionRow, 'accessToken' | 'refreshToken'>;

function haveTokensBeenUsed({ tokenCipher }: AppDeps, { accessToken, refreshToken }: Tokens, owner: string, ending: BooksEnding): boolean {
  if (ending.reason === 'removed') return true;
  if ('sealedRefresh' in ending.tokens) return refreshToken === ending.tokens.sealedRefresh;
  return accessToken !== null && tokenCipher.open(accessToken, `books_access_token:${owner}`) === ending.tokens.access;
}

const NO_TOKENS = { accessToken: null, refreshToken: null, accessExpiresAt: null, refreshLeaseUntil: null, refreshHolderId: null } as const;

/** Returns false and changes nothing if the connection was already lost, disconnected, reconnected or renewed. */
export async function recordBooksLoss(deps: AppDeps, tx: Tx, connection: BooksConnectionRow, ending: BooksEnding): Promise<boolean> {
  const { isByGrant, practiceId, provider, companyId } = connection;
  if (isByGrant && practiceId !== null) {
    if (ending.reason === 'removed') return recordOrganisationLoss(deps, tx, connection);
    return recordGrantLoss(deps, tx, { companyId: practiceId, provider }, ending);
  }
  const at = deps.clock.now();
  const isSame = and(isSameConnection(connection), ne(booksConnections.status, 'lost'));
  const [existing] = await tx.select().from(booksConnections).where(isSame).for('update');
  if (!existing || !haveTokensBeenUsed(deps, existing, companyId, ending)) return false;
  const { reason } = ending;
  const [lostConnection] = await tx
    .update(booksConnections)
    .set({ status: 'lost', lostAt: at, lostReason: reason, ...NO_TOKENS })
    .where(isSame)
    .returning({ organisation: booksConnections.organisationName });
  if (!lostConnection) return false;
  const providerName = BOOKS_PROVIDER_NAMES[provider];
  await recordTaxpayerAudit(tx, connection, {
    at,
    actor: provider,
    action: 'books.lost',
    subject: companyId,
    after: { program: provider, organisation: lostConnection.organisation, reason },
  });
  const explanation = EXPLANATIONS[reason](providerName, lostConnection.organisation ?? 'your organisation');
  if (practiceId !== null) {
    await notifyOfClient(deps, tx, { practiceId, clientId: companyId, program: providerName, key: `${companyId} ${at}`, explanation });
    return true;
  }
  await enqueueEmailToRoles(deps, tx, companyId, listRolesWith('company.manage'), ({ name }) => ({
    subject: `${name}: we can’t read ${providerName} any more`,
    preheader: 'Connect it again so that your next VAT return includes what has changed.',
    heading: `The connection to ${providerName} has ended`,
    paragraphs: [
      explanation,
      `The figures we’ve read are still available, but they no longer reflect what you enter in ${providerName}. Connect it again, or upload a file instead.`,
    ],
    action: { label: `Connect ${providerName} again`, path: getBooksPath(companyId) },
    reason: `You’re receiving this because you manage ${name}’s books.`,
  }));
  return true;
}

/** The practice's authorisation no longer covers this client's organisation. Its other clients' organisations are unchanged. */
async function recordOrganisationLoss(deps: AppDeps, tx: Tx, connection: BooksConnectionRow): Promise<boolean> {
  const { practiceId, provider, organisationId, companyId: clientId } = connection;
  if (practiceId === null || organisationId === null) return false;
  return markOrganisationsGone(deps, tx, { companyId: practiceId, provider }, [organisationId], clientId);
}

/**
 * Records once that an authorisation no longer covers these organisations, with one notification for all of a user's clients. Returns false
 * if it was already recorded.
 */
export async function markOrganisationsGone(
  deps: AppDeps,
  tx: Tx,
  { companyId, provider }: BooksGrantKey,
  organisationIds: readonly string[],
  ofClient?: string,
): Promise<boolean> {
  const at = deps.clock.now();
  if (organisationIds.length === 0) return false;
  const markedOrganisations = await tx
    .update(practiceOrganisations)
    .set({ goneAt: at })
    .where(
      and(
        eq(practiceOrganisations.companyId, companyId),
        eq(practiceOrganisations.provider, provider),
        sql`${practiceOrganisations.organisationId} in (select jsonb_array_elements_text(${JSON.stringify(organisationIds)}::jsonb))`,
        isNull(practiceOrganisations.goneAt),
        ofClient === undefined ? undefined : eq(practiceOrganisations.clientId, ofClient),
      ),
    )
    .returning({ name: practiceOrganisations.name, clientId: practiceOrganisations.clientId });
  const affectedClients = markedOrganisations.flatMap(({ name, clientId }) => (clientId === null ? [] : [{ name, clientId }]));
  for (const { name, clientId } of affectedClients) {
    await recordTaxpayerAudit(
      tx,
      { companyId: clientId, practiceId: companyId },
      { at, actor: provider, action: 'books.lost', subject: clientId, after: { program: provider, organisation: name, reason: 'removed' } },
    );
  }
  await notifyOfLostOrganisations(deps, tx, { companyId, provider }, affectedClients);
  return markedOrganisations.length > 0;
}

/** Ends a practice's authorisation once. This also ends its clients' connections (`findBooksConnection`). */
export async function recordGrantLoss(
  deps: AppDeps,
  tx: Tx,
  { companyId, provider }: BooksGrantKey,
  ending: Exclude<BooksEnding, { readonly reason: 'removed' }>,
): Promise<boolean> {
  const at = deps.clock.now();
  const [grant] = await tx
    .select()
    .from(booksGrants)
    .where(and(eq(booksGrants.companyId, companyId), eq(booksGrants.provider, provider), eq(booksGrants.status, 'connected')))
    .for('update');
  if (!grant || !haveTokensBeenUsed(deps, grant, getGrantOwner(grant), ending)) return false;
  const { reason } = ending;
  await tx
    .update(booksGrants)
    .set({ status: 'lost', lostAt: at, lostReason: reason, ...NO_TOKENS })
    .where(isSameGrant(grant));
  const providerName = BOOKS_PROVIDER_NAMES[provider];
  const after = { program: provider, reason };
  await recordAudit(tx, { companyId, at, actor: provider, action: 'books.grant_lost', subject: companyId, after });
  const [practice] = await tx.select({ name: companies.name }).from(companies).where(eq(companies.id, companyId));
  const name = practice?.name ?? '';
  const path = getPracticeBooksPath(companyId);
  await notify(deps, tx, companyId, [
    {
      kind: 'books_lost',
      key: `${provider} ${grant.connectedAt}`,
      title: `We can’t read clients’ books in ${providerName} any more`,
      path,
      userIds: await listAdminIds(tx, companyId),
      email: {
        subject: `${name}: we can’t read clients’ books in ${providerName} any more`,
        preheader: 'Connect it again so that your clients’ VAT returns include what has changed.',
        heading: `The connection to ${providerName} has ended`,
        paragraphs: [
          EXPLANATIONS[reason](providerName, ''),
          `The figures we’ve read are still available, but they no longer reflect what’s entered in ${providerName}. Connect it again: your clients stay linked to their organisations.`,
        ],
        action: { label: `Connect ${providerName} again`, path },
        reason: `You’re receiving this because you’re an admin of ${name}.`,
      },
    },
  ]);
  return true;
}
