/** Bookkeeping software that no longer accepts us: recorded once, and those who can connect it again are notified in the same transaction. */
import type { Tx } from '@portal/db/database.ts';
import { type BooksEndReason, booksConnections, booksGrants, companies, practiceOrganisations } from '@portal/db/schema/schema.ts';
import { and, eq, isNull, ne, sql } from '@portal/db/sql.ts';
import { BOOKS_PROGRAM_NAMES } from '@portal/domain/connected-books/books-programs.ts';
import type { AppDeps } from '../../app-deps.ts';
import { listRolesWith } from '../../http/policies.ts';
import { enqueueEmailToRoles } from '../../mail/enqueue-email.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { listAdminIds, notify } from '../staff-notifications/notify.ts';
import { recordTaxpayerAudit } from '../vat-returns/taxpayer.ts';
import { type BooksConnectionRow, isSameConnection } from './find-books-connection.ts';
import { type BooksGrantKey, getGrantOwner, isSameGrant } from './find-books-grant.ts';
import { getBooksPath, getPracticeBooksPath } from './books-paths.ts';
import { notifyOfClient, notifyOfGone } from './notify-of-books.ts';

const EXPLANATIONS: Readonly<Record<BooksEndReason, (program: string, organisation: string) => string>> = {
  refused: (program) =>
    `${program} no longer accepts the permission to read the books. Someone withdrew it there, or the person who gave it no longer has access.`,
  expired: (program) => `The permission to read the books expired, because ${program} wasn’t read for too long.`,
  removed: (program, organisation) => `Someone removed our access to ${organisation} in ${program}.`,
};

/** `tokens` are those that the software rejected. If another worker has renewed them since, nothing has ended. */
export type BooksEnding =
  | { readonly reason: 'removed' }
  | { readonly reason: 'refused' | 'expired'; readonly tokens: { readonly access: string } | { readonly sealedRefresh: string } };

type Tokens = Pick<BooksConnectionRow, 'accessToken' | 'refreshToken'>;

function wereUsed({ tokenCipher }: AppDeps, { accessToken, refreshToken }: Tokens, owner: string, ending: BooksEnding): boolean {
  if (ending.reason === 'removed') return true;
  if ('sealedRefresh' in ending.tokens) return refreshToken === ending.tokens.sealedRefresh;
  return accessToken !== null && tokenCipher.open(accessToken, `books_access_token:${owner}`) === ending.tokens.access;
}

const NO_TOKENS = { accessToken: null, refreshToken: null, accessExpiresAt: null, refreshLeaseUntil: null, refreshHolderId: null } as const;

/** Returns false and changes nothing if the connection was already lost, disconnected, connected again or renewed. */
export async function loseBooks(deps: AppDeps, tx: Tx, connection: BooksConnectionRow, ending: BooksEnding): Promise<boolean> {
  const { isByGrant, practiceId, provider, companyId } = connection;
  if (isByGrant && practiceId !== null) {
    if (ending.reason === 'removed') return loseOrganisation(deps, tx, connection);
    return loseGrant(deps, tx, { companyId: practiceId, provider }, ending);
  }
  const at = deps.clock.now();
  const isSame = and(isSameConnection(connection), ne(booksConnections.status, 'lost'));
  const [before] = await tx.select().from(booksConnections).where(isSame).for('update');
  if (!before || !wereUsed(deps, before, companyId, ending)) return false;
  const { reason } = ending;
  const [lost] = await tx
    .update(booksConnections)
    .set({ status: 'lost', lostAt: at, lostReason: reason, ...NO_TOKENS })
    .where(isSame)
    .returning({ organisation: booksConnections.organisationName });
  if (!lost) return false;
  const program = BOOKS_PROGRAM_NAMES[provider];
  await recordTaxpayerAudit(tx, connection, {
    at,
    actor: provider,
    action: 'books.lost',
    subject: companyId,
    after: { program: provider, organisation: lost.organisation, reason },
  });
  const explanation = EXPLANATIONS[reason](program, lost.organisation ?? 'your organisation');
  if (practiceId !== null) {
    await notifyOfClient(deps, tx, { practiceId, clientId: companyId, program, key: `${companyId} ${at}`, explanation });
    return true;
  }
  await enqueueEmailToRoles(deps, tx, companyId, listRolesWith('company.manage'), ({ name }) => ({
    subject: `${name}: we can’t read ${program} any more`,
    preheader: 'Connect it again so that your next VAT return includes what has changed.',
    heading: `The connection to ${program} has ended`,
    paragraphs: [
      explanation,
      `The figures that we’ve read are still available, but they no longer follow what you enter in ${program}. Connect it again, or upload a file instead.`,
    ],
    action: { label: `Connect ${program} again`, path: getBooksPath(companyId) },
    reason: `You’re receiving this because you manage ${name}’s books.`,
  }));
  return true;
}

/** The practice's authorisation no longer covers this client's organisation. Its other clients' organisations are unchanged. */
async function loseOrganisation(deps: AppDeps, tx: Tx, connection: BooksConnectionRow): Promise<boolean> {
  const { practiceId, provider, organisationId, companyId: clientId } = connection;
  if (practiceId === null || organisationId === null) return false;
  return markAllGone(deps, tx, { companyId: practiceId, provider }, [organisationId], clientId);
}

/**
 * Records once that an authorisation no longer covers these organisations, with one notification for all of a user's clients. Returns false
 * if it was already recorded.
 */
export async function markAllGone(
  deps: AppDeps,
  tx: Tx,
  { companyId, provider }: BooksGrantKey,
  organisationIds: readonly string[],
  ofClient?: string,
): Promise<boolean> {
  const at = deps.clock.now();
  if (organisationIds.length === 0) return false;
  const gone = await tx
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
  const ofClients = gone.flatMap(({ name, clientId }) => (clientId === null ? [] : [{ name, clientId }]));
  for (const { name, clientId } of ofClients) {
    await recordTaxpayerAudit(
      tx,
      { companyId: clientId, practiceId: companyId },
      { at, actor: provider, action: 'books.lost', subject: clientId, after: { program: provider, organisation: name, reason: 'removed' } },
    );
  }
  await notifyOfGone(deps, tx, { companyId, provider }, ofClients);
  return gone.length > 0;
}

/** Ends a practice's authorisation once. This also ends its clients' connections (`findBooksConnection`). */
export async function loseGrant(
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
  if (!grant || !wereUsed(deps, grant, getGrantOwner(grant), ending)) return false;
  const { reason } = ending;
  await tx
    .update(booksGrants)
    .set({ status: 'lost', lostAt: at, lostReason: reason, ...NO_TOKENS })
    .where(isSameGrant(grant));
  const program = BOOKS_PROGRAM_NAMES[provider];
  const after = { program: provider, reason };
  await recordAudit(tx, { companyId, at, actor: provider, action: 'books.grant_lost', subject: companyId, after });
  const [practice] = await tx.select({ name: companies.name }).from(companies).where(eq(companies.id, companyId));
  const name = practice?.name ?? '';
  const path = getPracticeBooksPath(companyId);
  await notify(deps, tx, companyId, [
    {
      kind: 'books_lost',
      key: `${provider} ${grant.connectedAt}`,
      title: `We can’t read clients’ books in ${program} any more`,
      path,
      userIds: await listAdminIds(tx, companyId),
      email: {
        subject: `${name}: we can’t read clients’ books in ${program} any more`,
        preheader: 'Connect it again so that your clients’ VAT returns include what has changed.',
        heading: `The connection to ${program} has ended`,
        paragraphs: [
          EXPLANATIONS[reason](program, ''),
          `The figures that we’ve read are still available, but they no longer follow what is entered in ${program}. Connect it again: the clients stay linked to their organisations.`,
        ],
        action: { label: `Connect ${program} again`, path },
        reason: `You’re receiving this because you’re an admin of ${name}.`,
      },
    },
  ]);
  return true;
}
