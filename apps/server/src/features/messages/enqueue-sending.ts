import type { Db, Tx } from '@portal/db/database.ts';
import type { AppDeps } from '../../app-deps.ts';

/** Starts to send a practice's due messages. One job for each practice at a time, so that it alone keeps the provider's limits. */
export function enqueueSending(deps: Pick<AppDeps, 'enqueue'>, db: Db | Tx, companyId: string): Promise<void> {
  return deps.enqueue(db, 'messages.send', { company_id: companyId }, { singletonKey: `messages.send:${companyId}` });
}
