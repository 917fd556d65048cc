/** Ends a run early, before its last client, and notifies the user who started it. */
import { PAGES } from '@portal/contract/pages.ts';
import type { Tx } from '@portal/db/database.ts';
import { syncRuns } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { SyncReason } from '@portal/domain/sync/sync-reasons.ts';
import { TAX_NAMES } from '@portal/domain/uk-tax/tax.ts';
import type { AppDeps } from '../../app-deps.ts';
import { listAdminIds, notify } from '../staff-notifications/notify.ts';
import { endRun, type RunKey } from './sync-queue.ts';

const REASON_MESSAGES: Partial<Record<SyncReason, string>> = {
  connection_ended: 'the connection to HMRC has ended',
  rate_limited: 'HMRC didn’t respond to any calls for too long',
};

export async function endFailedRun(deps: AppDeps, tx: Tx, run: RunKey, reason: SyncReason): Promise<void> {
  if (!(await endRun(tx, run, { state: 'failed', reason, at: deps.clock.now() }))) return;
  const { companyId, runId, tax } = run;
  const [row] = await tx
    .select({ startedBy: syncRuns.startedBy })
    .from(syncRuns)
    .where(and(eq(syncRuns.companyId, companyId), eq(syncRuns.id, runId)));
  if (!row) return;
  await notify(deps, tx, companyId, [
    {
      kind: 'refresh_failed',
      key: runId,
      title: `The refresh of ${TAX_NAMES[tax]} stopped: ${REASON_MESSAGES[reason] ?? 'a problem on our side'}`,
      path: `${PAGES.practiceClients.path}?company_id=${companyId}&tax=${tax}`,
      userIds: row.startedBy === null ? await listAdminIds(tx, companyId) : [row.startedBy],
    },
  ]);
}
