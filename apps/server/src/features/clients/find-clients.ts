/** The first few clients that match a search, best first: for the command palette and for switching to another client. */
import type { clientDashboardApi } from '@portal/contract/client-dashboard.ts';
import type { EndpointOutput, ParsedEndpointInput } from '@portal/contract/endpoint.ts';
import type { Db } from '@portal/db/database.ts';
import { clientRows } from '@portal/db/schema/schema.ts';
import { findMatchedField, normaliseSearchText, parseClientSearch, type SearchableClient } from '@portal/domain/clients/search-text.ts';
import type { ClientStatus } from '@portal/domain/clients/client.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { and, sql } from 'drizzle-orm';
import type { Actor } from '../../http/session.ts';
import { getAssigneeLimit } from '../positions/visible-clients.ts';
import { buildClientFilter } from './client-filters.ts';

type FoundClient = SearchableClient & { client_id: string; status: ClientStatus };
type FindInput = Omit<ParsedEndpointInput<typeof clientDashboardApi.companies>, 'company_id'>;

/** Names that begin with the text come first, then references that do, then the others by name. An empty text finds all clients. */
export async function findClients(
  db: Db,
  practiceId: string,
  { actor, today }: { readonly actor: Actor; readonly today: PlainDate },
  { q, limit }: FindInput,
): Promise<EndpointOutput<typeof clientDashboardApi.companies>> {
  const { conditions, values } = buildClientFilter(practiceId, { q }, { assignedTo: getAssigneeLimit(actor), today });
  const found = db
    .select({ companyId: clientRows.companyId, clientId: clientRows.clientId, sortName: clientRows.sortName, place: PLACE.as('place') })
    .from(clientRows)
    .where(and(...conditions()))
    .orderBy(sql`place`, clientRows.sortName, clientRows.clientId)
    .limit(sql.placeholder('limit'));
  // The details are read only for the clients found.
  const query = db
    .select({ clients: sql<FoundClient[]>`coalesce(json_agg(found order by found.place, found.sort_name, found.client_id), '[]')` })
    .from(
      sql`(select f.place, f.sort_name, f.client_id, c.name, c.status, c.client_code, c.vrn, c.utr, c.company_number, c.nino, c.paye_reference,
        c.accounts_office_reference, c.postcode, c.email, c.phone
        from (${found.getSQL()}) as f join clients c on c.company_id = f.company_id and c.id = f.client_id) as found`,
    );
  const [row] = await query.prepare('').execute({
    ...values,
    limit,
    nameStart: `${normaliseSearchText(q)}%`,
    referenceStart: `% ${parseClientSearch(q).at(-1)?.join(' ') ?? ''}%`,
  });
  const companies = (row?.clients ?? []).map((client) => {
    const field = q === '' ? null : findMatchedField(q, client);
    const value = field === null ? null : client[field];
    const matched = field === null || value === null ? null : { field, value };
    return { client_id: client.client_id, name: client.name, status: client.status, client_code: client.client_code, matched };
  });
  return { companies };
}

const PLACE = sql<number>`case when ${clientRows.search} like ${sql.placeholder('nameStart')} then 0
  when ${clientRows.search} like ${sql.placeholder('referenceStart')} then 1 else 2 end`;
