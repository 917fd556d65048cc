/** Reads and changes what the assistant is allowed to do. */
import type { agentModeApi } from '@portal/contract/agent.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { agentSettings, users } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { AGENT_MODES, DEFAULT_ACTIONS_PER_DAY, DEFAULT_DRAFTS_PER_DAY, type AgentMode } from '@portal/domain/agent/agent-mode.ts';
import { RULES_LIST_VERSION } from '@portal/domain/agent/agent-rules.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { alias } from 'drizzle-orm/pg-core';
import type { AppDeps } from '../../app-deps.ts';
import { assertConfirmedRecently, findAccessError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import type { Actor } from '../../http/session.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { findAgreement } from '../language-model/find-agreement.ts';
import { enqueueAgent } from './run-agent.ts';

type ModeState = EndpointOutput<typeof agentModeApi.mode>;

const canManage = (actor: Actor): boolean => findAccessError('practice.manage', actor) === undefined;

/** Throws unless the user may change settings of the whole practice. */
export function assertMayManage(actor: Actor): void {
  if (canManage(actor)) return;
  throw new AppError('forbidden', 'agent.admin_needed', 'Only an admin of your practice can do this.');
}

export async function getAgentMode(deps: AppDeps, companyId: string, actor: Actor): Promise<ModeState> {
  const { db } = deps.database;
  const [pausingUser, enablingUser] = [alias(users, 'pausing'), alias(users, 'enabling')];
  const [row] = await db
    .select({ settings: agentSettings, pausedBy: pausingUser.fullName, enabledBy: enablingUser.fullName })
    .from(agentSettings)
    .leftJoin(pausingUser, eq(pausingUser.id, agentSettings.pausedBy))
    .leftJoin(enablingUser, eq(enablingUser.id, agentSettings.enabledBy))
    .where(eq(agentSettings.companyId, companyId));
  const settings = row?.settings;
  return {
    mode: settings?.mode ?? 'off',
    is_paused: settings !== undefined && settings.pausedAt !== null,
    paused_by: row?.pausedBy ?? null,
    enabled_by: row?.enabledBy ?? null,
    enabled_at: settings?.enabledAt ?? null,
    drafts_per_day: settings?.draftsPerDay ?? DEFAULT_DRAFTS_PER_DAY,
    acts_per_day: settings?.actsPerDay ?? DEFAULT_ACTIONS_PER_DAY,
    checked_at: settings?.sweptAt ?? null,
    rules_version: RULES_LIST_VERSION,
    may_manage: canManage(actor),
    may_reword: (await findAgreement(deps, db, companyId)) !== null,
  };
}

const getRank = (mode: AgentMode): number => AGENT_MODES.indexOf(mode);

/**
 * Extending the assistant's rights requires a user who has just confirmed their identity. The assistant then acts with that user's rights.
 */
export async function setAgentMode(deps: AppDeps, { input, tenant, actor, caller }: Call<typeof agentModeApi.setMode>): Promise<ModeState> {
  const { practiceId: companyId } = tenant;
  const { mode, drafts_per_day: draftsPerDay, acts_per_day: actionsPerDay } = input;
  const at = deps.clock.now();
  await deps.database.db.transaction(async (tx) => {
    const [existing] = await tx.select().from(agentSettings).where(eq(agentSettings.companyId, companyId)).for('update');
    const previousMode = existing?.mode ?? 'off';
    if (getRank(mode) > getRank(previousMode)) assertConfirmedRecently(actor, deps.wallClock.now());
    const isNewMode = mode !== previousMode;
    const values = {
      mode,
      draftsPerDay,
      actsPerDay: actionsPerDay,
      ...(isNewMode && mode !== 'off' ? { enabledBy: actor.userId, enabledAt: at } : {}),
    };
    await tx
      .insert(agentSettings)
      .values({ companyId, ...values })
      .onConflictDoUpdate({ target: agentSettings.companyId, set: values });
    await recordAudit(tx, {
      companyId,
      at,
      actor: actor.userId,
      ip: caller.ip,
      action: isNewMode ? 'agent.mode_set' : 'agent.limits_set',
      subject: companyId,
      before: { mode: previousMode, drafts_per_day: existing?.draftsPerDay ?? null, acts_per_day: existing?.actsPerDay ?? null },
      after: { mode, drafts_per_day: draftsPerDay, acts_per_day: actionsPerDay, rules_version: RULES_LIST_VERSION },
    });
    if (mode !== 'off') await enqueueAgent(deps, tx, companyId, { isForAll: true });
  });
  return getAgentMode(deps, companyId, actor);
}

/** Waits for actions whose start hasn't been committed yet. Once this returns, no new actions start. */
export async function pauseAgent(deps: AppDeps, { input, tenant, actor, caller }: Call<typeof agentModeApi.pause>): Promise<ModeState> {
  const { practiceId: companyId } = tenant;
  const at = deps.clock.now();
  if (!input.is_paused) assertMayManage(actor);
  await deps.database.db.transaction(async (tx) => {
    const [existing] = await tx.select().from(agentSettings).where(eq(agentSettings.companyId, companyId)).for('update');
    if (!existing || (existing.pausedAt !== null) === input.is_paused) return;
    const values = input.is_paused ? { pausedAt: at, pausedBy: actor.userId } : { pausedAt: null, pausedBy: null };
    await tx.update(agentSettings).set(values).where(eq(agentSettings.companyId, companyId));
    const action = input.is_paused ? 'agent.stopped' : 'agent.continued';
    await recordAudit(tx, { companyId, at, actor: actor.userId, ip: caller.ip, action, subject: companyId });
    if (!input.is_paused) await enqueueAgent(deps, tx, companyId, { isForAll: true });
  });
  return getAgentMode(deps, companyId, actor);
}
