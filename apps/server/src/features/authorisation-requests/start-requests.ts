/** Starts and cancels the creation of authorisation requests for many clients. */
import type { Db, Tx } from '@portal/db/database.ts';
import { randomUUID } from 'node:crypto';
import { authorisationRuns } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { AgentTax } from '@portal/domain/uk-tax/tax.ts';
import { and, eq, isNull, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { chooseEmailing } from '../authorisation-emails/request-emailing.ts';
import { assertHmrcConnected } from '../hmrc-connection/assert-hmrc-connected.ts';
import { sealUserHeaders } from '../hmrc-connection/seal-fraud-headers.ts';
import type { ActingUser } from '../hmrc-connection/with-trader-access-token.ts';
import { planRequests, type RequestSelection } from './plan-requests.ts';

/** Allows only one run per tax at a time, so that the progress on screen covers everything. */
export async function startRequests(
  deps: AppDeps,
  companyId: string,
  user: ActingUser,
  {
    count,
    emails_clients: emailingChoice,
    ...selection
  }: RequestSelection & { readonly count: number; readonly emails_clients?: boolean | undefined },
): Promise<{ run_id: string; queued: number }> {
  await assertHmrcConnected(deps, companyId);
  const emailsClients = await chooseEmailing(deps, companyId, user, emailingChoice);
  const runId = randomUUID();
  return deps.database.db.transaction(async (tx) => {
    const plannedRequests = await planRequests(deps, tx, companyId, user.actor, selection);
    const readyIds = plannedRequests.flatMap(({ id, plan }) => (plan === 'ready' ? [id] : []));
    if (readyIds.length !== count) {
      const message = `${readyIds.length.toLocaleString('en-GB')} of these clients now need a request, not ${count.toLocaleString('en-GB')}. No requests were created. Check the selection, then try again.`;
      throw new AppError('conflict', 'requests.count_changed', message, { found: readyIds.length });
    }
    const now = deps.clock.now();
    const insertedRuns = await tx
      .insert(authorisationRuns)
      .values({
        companyId,
        id: runId,
        tax: selection.tax,
        startedBy: user.actor.userId,
        startedAt: now,
        fraudHeaders: sealUserHeaders(deps, companyId, user),
        emailsClients,
      })
      .onConflictDoNothing()
      .returning({ id: authorisationRuns.id });
    if (insertedRuns.length === 0) {
      throw new AppError('conflict', 'requests.running', 'Requests for this tax are already being created. Wait until that has finished.');
    }
    await tx.execute(sql`
      insert into authorisation_run_clients (company_id, run_id, client_id)
      select ${companyId}::uuid, ${runId}::uuid, id::uuid from jsonb_array_elements_text(${JSON.stringify(readyIds)}::jsonb) as id`);
    await recordAudit(tx, {
      companyId,
      at: now,
      actor: user.actor.userId,
      action: 'authorisation_requests.started',
      subject: runId,
      after: { tax: selection.tax, clients: readyIds.length, emails_clients: emailsClients },
      ip: user.caller.ip,
    });
    await enqueueRequests(deps, tx, { companyId, runId });
    return { run_id: runId, queued: readyIds.length };
  });
}

export type RequestRunKey = { readonly companyId: string; readonly runId: string };

export function enqueueRequests(
  deps: Pick<AppDeps, 'enqueue'>,
  db: Db | Tx,
  { companyId, runId }: RequestRunKey,
  delaySeconds = 0,
): Promise<void> {
  const options = { singletonKey: `authorisations.request:${runId}`, delaySeconds };
  return deps.enqueue(db, 'authorisations.request', { company_id: companyId, run_id: runId }, options);
}

/** Cancels the rest of the run. A request already being created is still completed. */
export async function cancelRequests(
  deps: AppDeps,
  companyId: string,
  { actor, caller }: ActingUser,
  tax: AgentTax,
): Promise<{ cancelled: boolean }> {
  return deps.database.db.transaction(async (tx) => {
    const at = deps.clock.now();
    const isOwn = actor.role === 'practice_admin' ? undefined : eq(authorisationRuns.startedBy, actor.userId);
    const [endedRun] = await tx
      .update(authorisationRuns)
      .set({ endedAt: at, reason: 'cancelled' })
      .where(and(eq(authorisationRuns.companyId, companyId), eq(authorisationRuns.tax, tax), isNull(authorisationRuns.endedAt), isOwn))
      .returning({ id: authorisationRuns.id });
    if (!endedRun) return { cancelled: false };
    const action = 'authorisation_requests.cancelled';
    await recordAudit(tx, { companyId, at, actor: actor.userId, action, subject: endedRun.id, after: { tax }, ip: caller.ip });
    return { cancelled: true };
  });
}
