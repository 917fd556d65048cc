/**
 * The job that runs the rules, over all clients once a day and otherwise over those that have changed. It then creates drafts and performs
 * safe actions.
 */
import type { Db, Tx } from '@portal/db/database.ts';
import { agentProposals, agentSettings, memberships, users } from '@portal/db/schema/schema.ts';
import { and, eq, sql } from '@portal/db/sql.ts';
import type { ClientFacts } from '@portal/domain/agent/agent-facts.ts';
import { applyRules, type RuleEnvironment } from '@portal/domain/agent/apply-rules.ts';
import { PROPOSED_ACTION_RULES } from '@portal/domain/agent/proposed-action.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import type { AppDeps } from '../../app-deps.ts';
import { tryEach } from '../../jobs/try-each.ts';
import type { Actor } from '../../http/session.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { finishAction, startAction } from './start-action.ts';
import { findChangedClients } from './find-changed-clients.ts';
import { isRunning, readAgentSettings, type AgentSettings } from './agent-settings.ts';
import { performAction, type ActionUser } from './perform-action.ts';
import { loadFacts, loadNextFacts, loadPracticeFacts } from './load-facts.ts';
import { readDisabledRules, readRuleSettings } from './rule-settings.ts';
import { createMostUrgentDrafts, storeProposals } from './store-proposals.ts';

/** Small enough that stopping takes effect within seconds. */
const BATCH_SIZE = 250;
const NIL_UUID = '00000000-0000-0000-0000-000000000000';
/** A transaction that started before a run read the clock may commit after it. */
const OVERLAP_MS = 120_000;

/** `isForAll` means that rules or their settings have changed, so every client is checked. */
export async function enqueueAgent(deps: AppDeps, tx: Tx | Db, companyId: string, { isForAll }: { isForAll: boolean }): Promise<void> {
  if (isForAll) {
    // Use a sequence number that no run has started with, so that a run in progress doesn't count as started after the change.
    const changedSettings = { sweptOn: null, sequence: sql`least(${agentSettings.sequence}, 0) - 1` };
    await tx.update(agentSettings).set(changedSettings).where(eq(agentSettings.companyId, companyId));
  }
  await deps.enqueue(tx, 'agent.run', { company_id: companyId }, { singletonKey: `agent.run:${companyId}` });
}

/** Starts a run for each practice whose assistant is on. */
export async function sweepAgents(deps: AppDeps): Promise<void> {
  const { db } = deps.database;
  const { rows } = await db.execute<{ id: string }>(sql`
    select s.company_id as id from agent_settings s join companies c on c.id = s.company_id and c.closed_at is null
    where s.mode <> 'off' and s.paused_at is null order by s.company_id`);
  await tryEach(rows, ({ id }) => enqueueAgent(deps, db, id, { isForAll: false }));
}

export async function runAgent(deps: AppDeps, companyId: string, signal: AbortSignal): Promise<void> {
  const { db } = deps.database;
  const settings = await readAgentSettings(db, companyId);
  if (!isRunning(settings)) return;
  const [today, startedAt] = [deps.clock.today(), deps.clock.now()];
  const { rows } = await db.execute<{ sequence: number }>(sql`select sequence from audit_heads where company_id = ${companyId}::uuid`);
  const sequence = rows[0]?.sequence ?? 0;
  const situation = { today, practice: await loadPracticeFacts(db, companyId, today), settings: await readRuleSettings(db, companyId) };
  const isFull = settings.sweptOn !== today;
  const hasEnded = isFull ? await runForAll(deps, companyId, situation, signal) : await runForChanged(deps, settings, situation, signal);
  if (!hasEnded) return;
  await db
    .update(agentSettings)
    .set({ sequence, sweptAt: startedAt, ...(isFull ? { sweptOn: today } : {}) })
    .where(and(eq(agentSettings.companyId, companyId), eq(agentSettings.sequence, settings.sequence)));
  await db.transaction((tx) => createMostUrgentDrafts(tx, companyId, today, settings.draftsPerDay));
  if (settings.mode === 'act_on_safe') await performSafeActions(deps, settings, signal);
}

/** Returns false if the run was stopped before the end. */
async function runForAll(deps: AppDeps, companyId: string, situation: RuleEnvironment, signal: AbortSignal): Promise<boolean> {
  let afterId = NIL_UUID;
  for (;;) {
    const scope = { companyId, today: situation.today, publicUrl: deps.site.publicUrl };
    const clients = await loadNextFacts(deps.database.db, scope, afterId, BATCH_SIZE);
    const last = clients.at(-1);
    if (!last) return true;
    if (!(await runBatch(deps, companyId, situation, clients, signal))) return false;
    afterId = last.client_id;
  }
}

async function runForChanged(deps: AppDeps, settings: AgentSettings, situation: RuleEnvironment, signal: AbortSignal): Promise<boolean> {
  const { companyId, sequence, sweptAt } = settings;
  const { db } = deps.database;
  const since = sweptAt === null ? null : addMilliseconds(sweptAt, -OVERLAP_MS);
  const ids = await findChangedClients(db, companyId, { sequence, since });
  for (let start = 0; start < ids.length; start += BATCH_SIZE) {
    const scope = { companyId, today: situation.today, publicUrl: deps.site.publicUrl };
    const clients = await loadFacts(db, scope, ids.slice(start, start + BATCH_SIZE));
    if (!(await runBatch(deps, companyId, situation, clients, signal))) return false;
  }
  return true;
}

async function runBatch(
  deps: AppDeps,
  companyId: string,
  situation: RuleEnvironment,
  clients: readonly ClientFacts[],
  signal: AbortSignal,
): Promise<boolean> {
  const { db } = deps.database;
  if (signal.aborted || !isRunning(await readAgentSettings(db, companyId))) return false;
  const ids = clients.map(({ client_id: id }) => id);
  const offRules = await readDisabledRules(db, companyId, ids);
  const foundProposals = clients.flatMap((client) => applyRules(client, situation, offRules.get(client.client_id)));
  const moment = { companyId, today: situation.today, now: deps.clock.now() };
  await db.transaction((tx) => storeProposals(tx, moment, ids, foundProposals));
  return true;
}

/** Acts with the rights of the admin who allowed it. Each action checks again that the assistant is on (startAction). */
async function performSafeActions(deps: AppDeps, settings: AgentSettings, signal: AbortSignal): Promise<void> {
  const { companyId } = settings;
  const user = await findPerson(deps, settings);
  if (!user) return stopActions(deps, companyId);
  const today = deps.clock.today();
  const safeProposals = Object.entries(PROPOSED_ACTION_RULES).flatMap(([kind, { isSafe }]) => (isSafe ? [kind] : []));
  const { rows } = await deps.database.db.execute<{ id: string; version: number }>(sql`
    select id, version from agent_proposals where company_id = ${companyId}::uuid and state = 'open' and proposed_by is null and rule_act = act
      and act ->> 'kind' in (select jsonb_array_elements_text(${JSON.stringify(safeProposals)}::jsonb))
    order by due_on, id limit greatest(0, ${settings.actsPerDay}::int - (select count(*) from agent_proposals
      where company_id = ${companyId}::uuid and is_by_agent and (decided_at at time zone 'Europe/London')::date = ${today}::date)::int)`);
  for (const proposalRow of rows) {
    if (signal.aborted) return;
    const startedAction = await startAction(deps, user, { ...proposalRow, isByAgent: true });
    if (!('proposal' in startedAction)) {
      if (startedAction.outcome === 'failed') return;
      continue;
    }
    try {
      const result = await performAction(deps, user, startedAction.proposal);
      await finishAction(deps, user, startedAction.proposal, { result, isByAgent: true });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // The user sees it as a draft and, on approving it, why it isn't possible.
      await finishAction(deps, user, startedAction.proposal, null);
      await deps.database.db
        .update(agentProposals)
        .set({ draftedOn: today })
        .where(and(eq(agentProposals.companyId, companyId), eq(agentProposals.id, startedAction.proposal.id)));
    }
  }
}

async function findPerson({ database: { db } }: AppDeps, { companyId, enabledBy }: AgentSettings): Promise<ActionUser | undefined> {
  if (enabledBy === null) return undefined;
  const [row] = await db
    .select({ email: users.email, fullName: users.fullName, permissions: memberships.permissions })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.companyId, companyId), eq(memberships.userId, enabledBy), eq(memberships.role, 'practice_admin')));
  if (!row) return undefined;
  const actor: Actor = { ...row, userId: enabledBy, isOperator: false, signInMethod: 'password', role: 'practice_admin', companyId };
  const caller = { ip: '', port: undefined, userAgent: '', deviceId: undefined, device: undefined };
  return { companyId, actor, caller, reply: undefined };
}

/** The user who allowed it is no longer an admin, so the assistant only suggests from now on. */
async function stopActions(deps: AppDeps, companyId: string): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    await tx.update(agentSettings).set({ mode: 'suggest' }).where(eq(agentSettings.companyId, companyId));
    const entry = { action: 'agent.mode_set', subject: companyId, before: { mode: 'act_on_safe' }, after: { mode: 'suggest' } };
    await recordAudit(tx, { companyId, at: deps.clock.now(), actor: 'rules', ...entry });
  });
}
