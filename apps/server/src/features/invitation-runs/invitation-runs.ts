/** Starts, pauses and resumes a run of invitations, and resends one of them. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { invitationRunsApi } from '@portal/contract/invitation-runs.ts';
import type { Tx } from '@portal/db/database.ts';
import { invitationRunClients as invited, invitationRuns } from '@portal/db/schema/schema.ts';
import { and, eq, type SQL } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { canReinvite, NOT_INVITED_REASONS } from '@portal/domain/invitation-runs/invitation-run.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import type { Actor } from '../../http/session.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { getAssigneeLimit, isVisibleTo } from '../positions/visible-clients.ts';
import { enqueueInvitations } from './enqueue-invitations.ts';
import { planInvitations } from './plan-invitations.ts';

const SAMPLE_SIZE = 5;
const INSERT_SIZE = 500;

type DoneResult = { done: true };

/** An admin sees all runs; a team member sees only their own. */
export function isOwnRun(actor: Actor): SQL | undefined {
  const userId = getAssigneeLimit(actor);
  return userId === undefined ? undefined : eq(invitationRuns.startedBy, userId);
}

const toScope = ({ clock, wallClock }: AppDeps, companyId: string, actor: Actor) => ({
  companyId,
  actor,
  today: clock.today(),
  now: wallClock.now(),
});

export async function previewInvitations(
  deps: AppDeps,
  { input, tenant, actor }: Call<typeof invitationRunsApi.preview>,
): Promise<EndpointOutput<typeof invitationRunsApi.preview>> {
  const plannedInvitations = await planInvitations(deps.database.db, toScope(deps, tenant.practiceId, actor), input);
  const readyClients = plannedInvitations.filter(({ reason }) => reason === null);
  const leftOut = NOT_INVITED_REASONS.map(
    (reason) => [reason, plannedInvitations.filter((item) => item.reason === reason).length] as const,
  );
  return {
    ready: readyClients.length,
    sample: readyClients.slice(0, SAMPLE_SIZE).map(({ name, email }) => ({ name, email })),
    left_out: Object.fromEntries(leftOut) as Record<(typeof NOT_INVITED_REASONS)[number], number>,
  };
}

export function startInvitations(
  deps: AppDeps,
  { input, tenant, actor, caller }: Call<typeof invitationRunsApi.start>,
): Promise<EndpointOutput<typeof invitationRunsApi.start>> {
  const companyId = tenant.practiceId;
  const { run_id: runId, count, ...selection } = input;
  return deps.database.db.transaction(async (tx) => {
    const isThis = and(eq(invitationRuns.companyId, companyId), eq(invitationRuns.id, runId));
    const [earlierRun] = await tx.select().from(invitationRuns).where(isThis);
    if (earlierRun && earlierRun.startedBy !== actor.userId) throw createNotFoundError();
    if (earlierRun) return { run_id: runId, total: earlierRun.total };
    const plannedInvitations = await planInvitations(tx, toScope(deps, companyId, actor), selection);
    const readyClients = plannedInvitations.filter(({ reason }) => reason === null);
    if (readyClients.length !== count) {
      const message = `${readyClients.length.toLocaleString('en-GB')} of these clients can now be invited, not ${count.toLocaleString('en-GB')}. No one was invited. Check the selection, then try again.`;
      throw new AppError('conflict', 'invitation_run.count_changed', message, { found: readyClients.length });
    }
    const at = deps.clock.now();
    const run = { companyId, id: runId, state: 'running' as const, startedBy: actor.userId, startedAt: at, total: readyClients.length };
    // A concurrent second request waits here and then finds the first request's run.
    const insertedRuns = await tx.insert(invitationRuns).values(run).onConflictDoNothing().returning({ id: invitationRuns.id });
    if (insertedRuns.length === 0) return { run_id: runId, total: readyClients.length };
    const rows = readyClients.map(({ clientId, email }, position) => ({
      companyId,
      runId,
      clientId,
      position,
      email,
      status: 'queued' as const,
    }));
    for (let start = 0; start < rows.length; start += INSERT_SIZE) await tx.insert(invited).values(rows.slice(start, start + INSERT_SIZE));
    const entry = { companyId, at, actor: actor.userId, action: 'invitation_run.started', subject: runId, ip: caller.ip };
    await recordAudit(tx, { ...entry, after: { clients: readyClients.length } });
    await enqueueInvitations(deps, tx, { companyId, runId });
    return { run_id: runId, total: readyClients.length };
  });
}

export function pauseInvitations(
  deps: AppDeps,
  { input, tenant, actor, caller }: Call<typeof invitationRunsApi.pause>,
): Promise<DoneResult> {
  const companyId = tenant.practiceId;
  const { run_id: runId, is_paused: isPaused } = input;
  return deps.database.db.transaction(async (tx) => {
    const { state } = await lockRun(tx, companyId, runId, actor);
    const next = isPaused ? 'paused' : 'running';
    if (state === 'ended' || state === next) return { done: true };
    await tx
      .update(invitationRuns)
      .set({ state: next, waits: null })
      .where(and(eq(invitationRuns.companyId, companyId), eq(invitationRuns.id, runId)));
    const action = isPaused ? 'invitation_run.paused' : 'invitation_run.resumed';
    await recordAudit(tx, { companyId, at: deps.clock.now(), actor: actor.userId, action, subject: runId, ip: caller.ip });
    if (!isPaused) await enqueueInvitations(deps, tx, { companyId, runId });
    return { done: true };
  });
}

/** The new attempt has a new link. The earlier link, which may have arrived, stops working. */
export function repeatInvitation(
  deps: AppDeps,
  { input, tenant, actor, caller }: Call<typeof invitationRunsApi.repeat>,
): Promise<DoneResult> {
  const companyId = tenant.practiceId;
  const { run_id: runId, client_id: clientId } = input;
  return deps.database.db.transaction(async (tx) => {
    const run = await lockRun(tx, companyId, runId, actor);
    const isThis = and(eq(invited.companyId, companyId), eq(invited.runId, runId), eq(invited.clientId, clientId));
    const [row] = await tx
      .select({ status: invited.status })
      .from(invited)
      .where(and(isThis, isVisibleTo(actor, invited.companyId, invited.clientId)))
      .for('update');
    if (!row) throw createNotFoundError();
    if (!canReinvite(row.status)) {
      const message = 'You can only resend an invitation that failed or may have been sent. Reload to see its current status.';
      throw new AppError('conflict', 'invitation_run.not_repeatable', message);
    }
    await tx.update(invited).set({ status: 'queued', attemptId: null, endedAt: null, reason: null }).where(isThis);
    if (run.state === 'ended') {
      await tx
        .update(invitationRuns)
        .set({ state: 'running', endedAt: null })
        .where(and(eq(invitationRuns.companyId, companyId), eq(invitationRuns.id, runId)));
    }
    const entry = {
      companyId,
      at: deps.clock.now(),
      actor: actor.userId,
      action: 'invitation_run.repeated',
      subject: clientId,
      ip: caller.ip,
    };
    await recordAudit(tx, { ...entry, before: { status: row.status }, after: { run: runId } });
    await enqueueInvitations(deps, tx, { companyId, runId });
    return { done: true };
  });
}

async function lockRun(tx: Tx, companyId: string, runId: string, actor: Actor): Promise<typeof invitationRuns.$inferSelect> {
  const [run] = await tx
    .select()
    .from(invitationRuns)
    .where(and(eq(invitationRuns.companyId, companyId), eq(invitationRuns.id, runId), isOwnRun(actor)))
    .for('update');
  if (!run) throw createNotFoundError();
  return run;
}
