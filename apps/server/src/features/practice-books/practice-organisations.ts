/** The organisations of a practice's programs with their clients, or the clients that they could belong to. */
import type { EndpointOutput, ParsedEndpointInput } from '@portal/contract/endpoint.ts';
import {
  ORGANISATIONS_PER_PAGE,
  type BooksGrant,
  type OrganisationState,
  type PracticeOrganisation,
  type practiceBooksApi,
} from '@portal/contract/practice-books.ts';
import type { OfferedClientBooks } from '@portal/contract/client-books.ts';
import type { Db } from '@portal/db/database.ts';
import { booksGrants, clients, practiceOrganisations } from '@portal/db/schema/schema.ts';
import { and, asc, count, eq, isNull, notExists, notInArray, sql } from '@portal/db/sql.ts';
import { GRANT_PROGRAMS } from '@portal/domain/connected-books/books-programs.ts';
import { matchOrganisations, type OrganisationMatch } from '@portal/domain/practice-books/match-organisations.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';
import { isVisibleTo } from '../positions/visible-clients.ts';

type OrganisationRow = typeof practiceOrganisations.$inferSelect;

export async function listGrants(deps: AppDeps, practiceId: string): Promise<{ grants: BooksGrant[] }> {
  const { db } = deps.database;
  const rows = await db.select().from(booksGrants).where(eq(booksGrants.companyId, practiceId));
  const counted = await db
    .select({
      provider: practiceOrganisations.provider,
      organisations: count().mapWith(Number),
      linked: count(practiceOrganisations.clientId).mapWith(Number),
      unread:
        sql`count(*) filter (where ${practiceOrganisations.detailsReadAt} is null and ${practiceOrganisations.goneAt} is null)`.mapWith(
          Number,
        ),
    })
    .from(practiceOrganisations)
    .where(eq(practiceOrganisations.companyId, practiceId))
    .groupBy(practiceOrganisations.provider);
  return {
    grants: GRANT_PROGRAMS.map((program): BooksGrant => {
      const grant = rows.find(({ provider }) => provider === program);
      const counts = counted.find(({ provider }) => provider === program);
      return {
        program,
        is_available: deps.practiceBooks[program] !== undefined,
        status: grant?.status ?? 'not_connected',
        connected_at: grant?.connectedAt ?? null,
        lost_at: grant?.lostAt ?? null,
        listed_at: grant?.listedAt ?? null,
        unread: counts?.unread ?? 0,
        has_problem: (grant?.listProblem ?? null) !== null,
        organisations: counts?.organisations ?? 0,
        linked: counts?.linked ?? 0,
        ends_at_program: deps.practiceBooks[program]?.disconnect !== undefined,
      };
    }),
  };
}

type Described = { readonly row: OrganisationRow; readonly state: OrganisationState; readonly match: OrganisationMatch };

const NO_MATCH: OrganisationMatch = { kind: 'none', candidates: [] };
const STATE_ORDER: Readonly<Record<OrganisationState, number>> = { gone: 0, sure: 1, review: 2, none: 3, reading: 4, linked: 5 };

type Input = Pick<ParsedEndpointInput<typeof practiceBooksApi.organisations>, 'state' | 'search' | 'page'>;

export async function listPracticeOrganisations(
  { database: { db } }: AppDeps,
  practiceId: string,
  actor: Actor,
  { state, search = '', page }: Input,
): Promise<EndpointOutput<typeof practiceBooksApi.organisations>> {
  const names = await listVisibleClients(db, practiceId, actor);
  const all = (await describeOrganisations(db, practiceId)).filter(({ row, match }) => isShown(actor, names, row, match));
  const wanted = search.trim().toLowerCase();
  const found = all.filter(({ row, match }) => wanted === '' || toSearched(row, match, names).includes(wanted));
  const counts = { sure: 0, review: 0, none: 0, reading: 0, linked: 0, gone: 0 };
  for (const { state: one } of found) counts[one] += 1;
  const listed = found
    .filter((one) => state === undefined || one.state === state)
    .toSorted((a, b) => STATE_ORDER[a.state] - STATE_ORDER[b.state] || a.row.name.localeCompare(b.row.name, 'en'));
  const start = (page - 1) * ORGANISATIONS_PER_PAGE;
  return {
    organisations: listed.slice(start, start + ORGANISATIONS_PER_PAGE).map((one) => toOutput(one, names)),
    total: listed.length,
    counts,
  };
}

/** An admin sees all. A team member sees those that belong, or could belong, to clients assigned to them. */
function isShown(
  actor: Actor,
  names: ReadonlyMap<string, string>,
  { clientId }: OrganisationRow,
  { candidates }: OrganisationMatch,
): boolean {
  if (clientId !== null) return names.has(clientId);
  return actor.role === 'practice_admin' || candidates.some((candidate) => names.has(candidate.clientId));
}

function toSearched({ name, vatNumber, clientId }: OrganisationRow, { candidates }: OrganisationMatch, names: ReadonlyMap<string, string>) {
  const clientNames = [clientId, ...candidates.map((candidate) => candidate.clientId)].map((id) =>
    id === null ? '' : (names.get(id) ?? ''),
  );
  return [name, vatNumber ?? '', ...clientNames].join('\n').toLowerCase();
}

const MAX_CANDIDATES = 5;

function toOutput({ row, state, match }: Described, names: ReadonlyMap<string, string>): PracticeOrganisation {
  return {
    program: row.provider,
    organisation_id: row.organisationId,
    name: row.name,
    vat_number: row.vatNumber,
    company_number: row.companyNumber,
    state,
    candidates: match.candidates
      .filter(({ clientId }) => names.has(clientId))
      .slice(0, MAX_CANDIDATES)
      .map(({ clientId, reason, conflict }) => ({ client_id: clientId, client_name: names.get(clientId) ?? '', reason, conflict })),
    client_id: row.clientId,
    client_name: row.clientId === null ? null : (names.get(row.clientId) ?? null),
    gone_at: row.goneAt,
  };
}

/** The clients are matched again each time, so that a corrected VAT number counts at once. */
async function describeOrganisations(db: Db, practiceId: string): Promise<Described[]> {
  const rows = await db.select().from(practiceOrganisations).where(eq(practiceOrganisations.companyId, practiceId));
  const isLinked = db
    .select({ one: sql`1` })
    .from(practiceOrganisations)
    .where(and(eq(practiceOrganisations.companyId, clients.companyId), eq(practiceOrganisations.clientId, clients.id)));
  const free = await db
    .select({ id: clients.id, name: clients.name, vrn: clients.vrn, companyNumber: clients.companyNumber })
    .from(clients)
    .where(and(eq(clients.companyId, practiceId), notInArray(clients.status, ['inactive', 'closed']), notExists(isLinked)))
    .orderBy(asc(clients.name), asc(clients.id));
  const open = rows.filter(({ clientId, detailsReadAt }) => clientId === null && detailsReadAt !== null);
  const matches = matchOrganisations(
    open.map(({ provider, organisationId, name, vatNumber, companyNumber }) => ({
      key: toKey({ provider, organisationId }),
      name,
      vatNumber,
      companyNumber,
    })),
    free,
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

const toKey = ({ provider, organisationId }: Pick<OrganisationRow, 'provider' | 'organisationId'>) => `${provider} ${organisationId}`;

async function listVisibleClients(db: Db, practiceId: string, actor: Actor): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .select({ id: clients.id, name: clients.name })
    .from(clients)
    .where(and(eq(clients.companyId, practiceId), isVisibleTo(actor, clients.companyId, clients.id)));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

const MAX_OFFERED = 100;

/** For the page of one client. A team member gets only those that match it: others are of clients that they may not see. */
export async function listOfferedBooks(
  { database: { db } }: AppDeps,
  { practiceId, clientId, actor }: { readonly practiceId: string; readonly clientId: string; readonly actor: Actor },
): Promise<OfferedClientBooks[]> {
  const [client] = await db
    .select({ name: clients.name, vrn: clients.vrn, companyNumber: clients.companyNumber })
    .from(clients)
    .where(and(eq(clients.companyId, practiceId), eq(clients.id, clientId)));
  if (!client) return [];
  const rows = await db
    .select({ row: practiceOrganisations })
    .from(practiceOrganisations)
    .innerJoin(
      booksGrants,
      and(
        eq(booksGrants.companyId, practiceOrganisations.companyId),
        eq(booksGrants.provider, practiceOrganisations.provider),
        eq(booksGrants.status, 'connected'),
      ),
    )
    .where(
      and(eq(practiceOrganisations.companyId, practiceId), isNull(practiceOrganisations.clientId), isNull(practiceOrganisations.goneAt)),
    )
    .orderBy(asc(practiceOrganisations.name));
  const matches = matchOrganisations(
    rows.map(({ row }) => ({ key: toKey(row), name: row.name, vatNumber: row.vatNumber, companyNumber: row.companyNumber })),
    [{ id: clientId, ...client }],
  );
  const offered = rows.map(({ row }) => ({
    program: row.provider,
    organisation_id: row.organisationId,
    name: row.name,
    vat_number: row.vatNumber,
    is_match: (matches.get(toKey(row)) ?? NO_MATCH).candidates.length > 0,
  }));
  const shown = actor.role === 'practice_admin' ? offered : offered.filter(({ is_match: isMatch }) => isMatch);
  return shown.toSorted((a, b) => Number(b.is_match) - Number(a.is_match)).slice(0, MAX_OFFERED);
}
