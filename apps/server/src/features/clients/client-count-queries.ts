/**
 * The number of clients that match a filter. Separate from the list, so that the cost of a page does not depend on the size of the
 * practice.
 */
import type { clientsApi } from '@portal/contract/clients.ts';
import type { OutputOf, ParsedInputOf } from '@portal/contract/endpoint.ts';
import type { Db } from '@portal/db/database.ts';
import { clientRows } from '@portal/db/schema/schema.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { and, count } from 'drizzle-orm';
import type { Actor } from '../../http/session.ts';
import { narrowedTo } from '../positions/seen-clients.ts';
import { narrowClients, type ClientNarrowing } from './client-filters.ts';

export async function countClients(
  db: Db,
  practiceId: string,
  actor: Actor,
  filters: Omit<ParsedInputOf<typeof clientsApi.count>, 'company_id'>,
  today: PlainDate,
): Promise<OutputOf<typeof clientsApi.count>> {
  const viewer = { assignedTo: narrowedTo(actor), today };
  const [found, all] = await Promise.all([
    countOf(db, narrowClients(practiceId, filters, viewer)),
    countOf(db, narrowClients(practiceId, {}, viewer)),
  ]);
  return { count: found, all, today };
}

async function countOf(db: Db, { conditions, values }: ClientNarrowing): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(clientRows)
    .where(and(...conditions()))
    .prepare('')
    .execute(values);
  return row?.count ?? 0;
}
