/** Resolves the clients of a bulk action: the listed IDs, or all that match a filter if their number is still the one the user saw. */
import type { ClientSelection, MatchingClients } from '@portal/contract/clients.ts';
import { isInIdList } from '@portal/db/in-id-list.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { clients } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { Actor } from '../../http/session.ts';
import { getAssigneeLimit } from '../positions/visible-clients.ts';
import { buildClientFilter } from './client-filters.ts';
import { listClientIds } from './list-clients.ts';

type SelectionScope = { readonly companyId: string; readonly actor: Actor; readonly today: PlainDate };

/** Locks the selected clients in order of ID, so that two bulk changes cannot deadlock. */
export async function lockSelectedClients(
  tx: Tx,
  scope: SelectionScope,
  choice: ClientSelection,
): Promise<{ requestedIds: string[]; knownIds: string[] }> {
  const requestedIds = choice.matching ? await listMatchingClients(tx, scope, choice.matching) : [...new Set(choice.client_ids)];
  const rows = await tx
    .select({ id: clients.id })
    .from(clients)
    .where(and(eq(clients.companyId, scope.companyId), isInIdList(clients.id, requestedIds)))
    .orderBy(clients.id)
    .for('update');
  return { requestedIds, knownIds: rows.map(({ id }) => id) };
}

/** Lists the matching clients that the user may see. Throws a conflict if their number has changed since the user saw it. */
export async function listMatchingClients(
  db: Db | Tx,
  { companyId, actor, today }: SelectionScope,
  { filters, count }: MatchingClients,
): Promise<string[]> {
  const filter = buildClientFilter(companyId, filters, { assignedTo: getAssigneeLimit(actor), today });
  const ids = await listClientIds(db, filter, { sort: 'next_due', direction: 'asc' });
  if (ids.length !== count) {
    const message = `This filter now matches ${ids.length.toLocaleString('en-GB')} clients, not ${count.toLocaleString('en-GB')}. Nothing was changed. Check the list, then try again.`;
    throw new AppError('conflict', 'clients.count_changed', message, { found: ids.length });
  }
  return ids;
}
