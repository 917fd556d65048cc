/**
 * The number of clients that match a filter. Separate from the list, so that the cost of a page does not depend on the size of the
 * practice.
 */
import type { clientsApi } from '@portal/contract/clients.ts';
import type { EndpointOutput, ParsedEndpointInput } from '@portal/contract/endpoint.ts';
import type { Db } from '@portal/db/database.ts';
import { clientRows } from '@portal/db/schema/schema.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { and, count } from 'drizzle-orm';
import type { Actor } from '../../http/session.ts';
import { getAssigneeLimit } from '../positions/visible-clients.ts';
import { buildClientFilter, type ClientFilterSql } from './client-filters.ts';

export async function countClients(
  db: Db,
  practiceId: string,
  actor: Actor,
  filters: Omit<ParsedEndpointInput<typeof clientsApi.count>, 'company_id'>,
  today: PlainDate,
): Promise<EndpointOutput<typeof clientsApi.count>> {
  const viewer = { assignedTo: getAssigneeLimit(actor), today };
  const [found, all] = await Promise.all([
    countMatching(db, buildClientFilter(practiceId, filters, viewer)),
    countMatching(db, buildClientFilter(practiceId, {}, viewer)),
  ]);
  return { count: found, all, today };
}

async function countMatching(db: Db, { conditions, values }: ClientFilterSql): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(clientRows)
    .where(and(...conditions()))
    .prepare('')
    .execute(values);
  return row?.count ?? 0;
}
