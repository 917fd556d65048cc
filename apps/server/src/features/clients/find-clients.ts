/** Finds the first few clients that match a search, best match first, for the command palette and for switching to another client. */
import type { clientDashboardApi } from '@portal/contract/client-dashboard.ts';
import type { EndpointOutput, ParsedEndpointInput } from '@portal/contract/endpoint.ts';
import type { Db } from '@portal/db/database.ts';
import { clientRows, clients } from '@portal/db/schema/schema.ts';
import { findMatchedField, normaliseSearchText, parseClientSearch, type SearchableClient } from '@portal/domain/clients/search-text.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { and, eq, inArray, sql } from '@portal/db/sql.ts';
import { JsonText } from '../../http/json-text.ts';
import type { Actor } from '../../http/session.ts';
import { getAssigneeLimit } from '../positions/visible-clients.ts';
import { buildClientFilter, type ClientFilterSql } from './client-filters.ts';

type FoundClients = EndpointOutput<typeof clientDashboardApi.companies>;
type FindInput = Omit<ParsedEndpointInput<typeof clientDashboardApi.companies>, 'company_id'>;

export type FindClients = (practiceId: string, actor: Actor, input: FindInput, today: PlainDate) => Promise<JsonText<FoundClients>>;

/**
 * Prepares the search for one database. Names that start with the text come first, then references that do, then the other matches by name.
 */
export function prepareFindClients(db: Db): FindClients {
  const preparedSearches = new Map<string, ReturnType<typeof prepareSearch>>();
  return async (practiceId, actor, { q, limit }, today) => {
    const filter = buildClientFilter(practiceId, { q }, { assignedTo: getAssigneeLimit(actor), today });
    const statement = preparedSearches.get(filter.shape) ?? prepareSearch(db, filter);
    if (preparedSearches.size < MAX_STATEMENTS) preparedSearches.set(filter.shape, statement);
    const foundClients = await statement.execute({
      ...filter.values,
      limit,
      nameStart: `${normaliseSearchText(q)}%`,
      referenceStart: `% ${parseClientSearch(q).at(-1)?.join(' ') ?? ''}%`,
    });
    const matched = q === '' ? undefined : await findMatches(db, practiceId, q, foundClients);
    const companies = foundClients.map(({ client_id, name, status, client_code }) => {
      return { client_id, name, status, client_code, matched: matched?.get(client_id) ?? null };
    });
    return new JsonText(JSON.stringify({ companies } satisfies FoundClients));
  };
}

/** A search has at most eight words in each of its three interpretations. In practice, users need only a few of the possible shapes. */
const MAX_STATEMENTS = 100;

/** The statement is unnamed, so that PostgreSQL plans each search for its own text. */
function prepareSearch(db: Db, { conditions, rows }: ClientFilterSql) {
  const place = sql`case when ${clientRows.search} like ${sql.placeholder('nameStart')} then 0
    when ${clientRows.search} like ${sql.placeholder('referenceStart')} then 1 else 2 end`;
  return db
    .select({
      client_id: clientRows.clientId,
      name: clientRows.name,
      status: clientRows.status,
      client_code: clientRows.clientCode,
      vrn: clientRows.vrn,
      utr: clientRows.utr,
      company_number: clientRows.companyNumber,
    })
    .from(rows)
    .where(and(...conditions()))
    .orderBy(place, clientRows.sortName, clientRows.clientId)
    .limit(sql.placeholder('limit'))
    .prepare('');
}

type FoundRow = Awaited<ReturnType<ReturnType<typeof prepareSearch>['execute']>>[number];
type MatchedField = FoundClients['companies'][number]['matched'];

const NO_DETAILS = {
  vat_group_vrn: null,
  nino: null,
  paye_reference: null,
  accounts_office_reference: null,
  postcode: null,
  email: null,
  phone: null,
};

/** Returns the matching detail for each client. Details that the list row lacks are read only for clients whose name doesn't match. */
async function findMatches(db: Db, practiceId: string, q: string, rows: readonly FoundRow[]): Promise<ReadonlyMap<string, MatchedField>> {
  const name = normaliseSearchText(q);
  const otherRows = rows.filter((row) => !normaliseSearchText(row.name).includes(name));
  const knownMatches = new Map(otherRows.map((row) => [row.client_id, toMatched(q, { ...row, ...NO_DETAILS })]));
  const ids = otherRows.filter((row) => knownMatches.get(row.client_id) === null).map((row) => row.client_id);
  if (ids.length === 0) return knownMatches;
  const details = await db
    .select({
      id: clients.id,
      vat_group_vrn: clients.vatGroupVrn,
      nino: clients.nino,
      paye_reference: clients.payeReference,
      accounts_office_reference: clients.accountsOfficeReference,
      postcode: clients.postcode,
      email: clients.email,
      phone: clients.phone,
    })
    .from(clients)
    .where(and(eq(clients.companyId, practiceId), inArray(clients.id, ids)));
  const detailsById = new Map(details.map((row) => [row.id, row]));
  for (const row of otherRows) {
    const clientDetails = detailsById.get(row.client_id);
    if (clientDetails !== undefined) knownMatches.set(row.client_id, toMatched(q, { ...row, ...clientDetails }));
  }
  return knownMatches;
}

function toMatched(q: string, client: SearchableClient): MatchedField {
  const field = findMatchedField(q, client);
  const value = field === null ? null : client[field];
  return field === null || value === null ? null : { field, value };
}
