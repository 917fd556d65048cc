/** Resolves the clients of a bulk action: the listed IDs, or all that match a filter if their number is still the one the user saw. */
import type { ClientChoice, MatchingClients } from '@portal/contract/clients.ts';
import { amongIds } from '@portal/db/among-ids.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { clients } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { and, eq } from 'drizzle-orm';
import type { Actor } from '../../http/session.ts';
import { narrowedTo } from '../positions/seen-clients.ts';
import { narrowClients } from './client-filters.ts';
import { listClientIds } from './list-clients.ts';

type Chooser = { readonly companyId: string; readonly actor: Actor; readonly today: PlainDate };

/** Locks the selected clients in order of ID, so that two bulk changes cannot deadlock. */
export async function lockChosen(tx: Tx, by: Chooser, choice: ClientChoice): Promise<{ asked: string[]; known: string[] }> {
  const asked = choice.matching ? await listMatching(tx, by, choice.matching) : [...new Set(choice.client_ids)];
  const rows = await tx
    .select({ id: clients.id })
    .from(clients)
    .where(and(eq(clients.companyId, by.companyId), amongIds(clients.id, asked)))
    .orderBy(clients.id)
    .for('update');
  return { asked, known: rows.map(({ id }) => id) };
}

/** The matching clients that the user may see. Throws a conflict when their number differs from the one the user saw. */
export async function listMatching(
  db: Db | Tx,
  { companyId, actor, today }: Chooser,
  { filters, count }: MatchingClients,
): Promise<string[]> {
  const narrowing = narrowClients(companyId, filters, { assignedTo: narrowedTo(actor), today });
  const ids = await listClientIds(db, narrowing, { sort: 'next_due', direction: 'asc' });
  if (ids.length !== count) {
    const message = `The filter finds ${ids.length.toLocaleString('en-GB')} clients by now, not ${count.toLocaleString('en-GB')}. Nothing was done: look at them again.`;
    throw new AppError('conflict', 'clients.count_changed', message, { found: ids.length });
  }
  return ids;
}
