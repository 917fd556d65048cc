/** The organisations from a practice's bookkeeping software with their clients, or the clients they could belong to. */
import type { EndpointOutput, ParsedEndpointInput } from '@portal/contract/endpoint.ts';
import {
  ORGANISATIONS_PER_PAGE,
  type OrganisationState,
  type PracticeOrganisation,
  type practiceBooksApi,
} from '@portal/contract/practice-books.ts';
import type { Db } from '@portal/db/database.ts';
import { clients, practiceOrganisations } from '@portal/db/schema/schema.ts';
import { and, asc, eq, isNotNull, isNull, notExists, notInArray, or, sql } from '@portal/db/sql.ts';
import { FORMER_STATUSES } from '@portal/domain/clients/client.ts';
import { matchOrganisations, type OrganisationMatch } from '@portal/domain/practice-books/match-organisations.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';
import { isVisibleTo } from '../positions/visible-clients.ts';
import { listOwnBooks, type OwnBooksOfClient } from './own-books.ts';

type OrganisationRow = typeof practiceOrganisations.$inferSelect;

type DescribedOrganisation = { readonly row: OrganisationRow; readonly state: OrganisationState; readonly match: OrganisationMatch };

export const NO_MATCH: OrganisationMatch = { kind: 'none', candidates: [] };
const STATE_ORDER: Readonly<Record<OrganisationState, number>> = { gone: 0, sure: 1, review: 2, none: 3, reading: 4, linked: 5 };

type OrganisationsInput = Pick<ParsedEndpointInput<typeof practiceBooksApi.organisations>, 'state' | 'search' | 'page'>;

export async function listPracticeOrganisations(
  deps: AppDeps,
  practiceId: string,
  actor: Actor,
  { state, search = '', page }: OrganisationsInput,
): Promise<EndpointOutput<typeof practiceBooksApi.organisations>> {
  const { db } = deps.database;
  const names = await listVisibleClients(db, practiceId, actor);
  const shownOrganisations = (await describeOrganisations(db, practiceId)).filter(({ row, match }) => isShown(actor, names, row, match));
  const candidateIds = new Set(shownOrganisations.flatMap(({ match }) => match.candidates.map(({ clientId }) => clientId)));
  const ownBooks = await listOwnBooks(
    deps,
    practiceId,
    [...candidateIds].filter((id) => names.has(id)),
  );
  const allOrganisations = shownOrganisations.map((item) => requireOwnBooksDecision(item, ownBooks));
  const searchText = search.trim().toLowerCase();
  const matchingOrganisations = allOrganisations.filter(
    ({ row, match }) => searchText === '' || toSearchFields(row, match, names).includes(searchText),
  );
  const counts = { sure: 0, review: 0, none: 0, reading: 0, linked: 0, gone: 0 };
  for (const { state: one } of matchingOrganisations) counts[one] += 1;
  const sortedOrganisations = matchingOrganisations
    .filter((item) => state === undefined || item.state === state)
    .toSorted((a, b) => STATE_ORDER[a.state] - STATE_ORDER[b.state] || a.row.name.localeCompare(b.row.name, 'en'));
  const start = (page - 1) * ORGANISATIONS_PER_PAGE;
  return {
    organisations: sortedOrganisations.slice(start, start + ORGANISATIONS_PER_PAGE).map((item) => toOutput(item, names, ownBooks)),
    total: sortedOrganisations.length,
    counts,
  };
}

/** Only a user can decide to replace a client's existing books, and only for one client at a time. */
function requireOwnBooksDecision(
  item: DescribedOrganisation,
  ownBooksByClient: ReadonlyMap<string, OwnBooksOfClient>,
): DescribedOrganisation {
  const [first] = item.match.candidates;
  return item.state === 'sure' && first && ownBooksByClient.has(first.clientId) ? { ...item, state: 'review' } : item;
}

/** An admin sees all organisations. A team member sees those that belong, or could belong, to clients assigned to them. */
function isShown(
  actor: Actor,
  names: ReadonlyMap<string, string>,
  { clientId }: OrganisationRow,
  { candidates }: OrganisationMatch,
): boolean {
  if (clientId !== null) return names.has(clientId);
  return actor.role === 'practice_admin' || candidates.some((candidate) => names.has(candidate.clientId));
}

function toSearchFields(
  { name, vatNumber, clientId }: OrganisationRow,
  { candidates }: OrganisationMatch,
  names: ReadonlyMap<string, string>,
) {
  const clientNames = [clientId, ...candidates.map((candidate) => candidate.clientId)].map((id) =>
    id === null ? '' : (names.get(id) ?? ''),
  );
  return [name, vatNumber ?? '', ...clientNames].join('\n').toLowerCase();
}

const MAX_CANDIDATES = 5;

function toOutput(
  { row, state, match }: DescribedOrganisation,
  names: ReadonlyMap<string, string>,
  ownBooksByClient: ReadonlyMap<string, OwnBooksOfClient>,
): PracticeOrganisation {
  return {
    program: row.provider,
    organisation_id: row.organisationId,
    name: row.name,
    vat_number: row.vatNumber,
    company_number: row.companyNumber,
    is_unreadable: row.isUnreadable,
    waits_until: row.detailsReadAt === null ? row.waitsUntil : null,
    state,
    candidates: match.candidates
      .filter(({ clientId }) => names.has(clientId))
      .slice(0, MAX_CANDIDATES)
      .map(({ clientId, reason, conflict }) => ({
        client_id: clientId,
        client_name: names.get(clientId) ?? '',
        reason,
        conflict,
        own_books: ownBooksByClient.get(clientId)?.books ?? null,
      })),
    client_id: row.clientId,
    client_name: row.clientId === null ? null : (names.get(row.clientId) ?? null),
    gone_at: row.goneAt,
  };
}

/** Matches the clients again each time, so that a corrected VAT number takes effect immediately. */
async function describeOrganisations(db: Db, practiceId: string): Promise<DescribedOrganisation[]> {
  // Exclude organisations without a client that are no longer covered.
  const rows = await db
    .select()
    .from(practiceOrganisations)
    .where(
      and(
        eq(practiceOrganisations.companyId, practiceId),
        or(isNotNull(practiceOrganisations.clientId), isNull(practiceOrganisations.goneAt)),
      ),
    );
  const isLinked = db
    .select({ one: sql`1` })
    .from(practiceOrganisations)
    .where(and(eq(practiceOrganisations.companyId, clients.companyId), eq(practiceOrganisations.clientId, clients.id)));
  const unlinkedClients = await db
    .select({ id: clients.id, name: clients.name, vrn: clients.vrn, companyNumber: clients.companyNumber })
    .from(clients)
    .where(and(eq(clients.companyId, practiceId), notInArray(clients.status, FORMER_STATUSES), notExists(isLinked)))
    .orderBy(asc(clients.name), asc(clients.id));
  const unlinkedRows = rows.filter(({ clientId, detailsReadAt }) => clientId === null && detailsReadAt !== null);
  const matches = matchOrganisations(
    unlinkedRows.map(({ provider, organisationId, name, vatNumber, companyNumber }) => ({
      key: toKey({ provider, organisationId }),
      name,
      vatNumber,
      companyNumber,
    })),
    unlinkedClients,
  );
  return rows.map((row) => {
    const match = matches.get(toKey(row)) ?? NO_MATCH;
    return { row, match, state: toState(row, match) };
  });
}

function toState({ clientId, goneAt, detailsReadAt }: OrganisationRow, { kind }: OrganisationMatch): OrganisationState {
  if (clientId !== null) return goneAt === null ? 'linked' : 'gone';
  return detailsReadAt === null ? 'reading' : kind;
}

export const toKey = ({ provider, organisationId }: Pick<OrganisationRow, 'provider' | 'organisationId'>) =>
  `${provider} ${organisationId}`;

async function listVisibleClients(db: Db, practiceId: string, actor: Actor): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .select({ id: clients.id, name: clients.name })
    .from(clients)
    .where(and(eq(clients.companyId, practiceId), isVisibleTo(actor, clients.companyId, clients.id)));
  return new Map(rows.map(({ id, name }) => [id, name]));
}
