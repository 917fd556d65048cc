import type { Db, Tx } from '@portal/db/database.ts';
import type { AppDeps } from '../../app-deps.ts';

/** Starts sending a practice's due messages. Each practice has one job at a time, so that this job alone observes the provider's limits. */
export function enqueueSending(deps: Pick<AppDeps, 'enqueue'>, db: Db | Tx, companyId: string): Promise<void> {
  return deps.enqueue(db, 'messages.send', { company_id: companyId }, { singletonKey: `messages.send:${companyId}` });
}
