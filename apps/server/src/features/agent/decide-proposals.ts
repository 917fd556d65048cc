/** Users' decisions about proposals: approve, edit, reject (which the rule learns from) and revert. */
import type { agentModeApi } from '@portal/contract/agent.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { Tx } from '@portal/db/database.ts';
import { isInIdList } from '@portal/db/in-id-list.ts';
import { type ActionResult, agentExclusions, agentProposals, agentRules } from '@portal/db/schema/schema.ts';
import { and, eq, sql } from '@portal/db/sql.ts';
import { AppError, createInvalidFieldError } from '@portal/domain/app-error.ts';
import { differOnlyInText, PROPOSED_ACTION_RULES } from '@portal/domain/agent/proposed-action.ts';
import { findAgentRule } from '@portal/domain/agent/agent-rules.ts';
import { addDays } from '@portal/domain/plain-date.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import type { Actor } from '../../http/session.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { isVisibleTo } from '../positions/visible-clients.ts';
import { assertMayManage } from './agent-mode.ts';
import { finishAction, startAction } from './start-action.ts';
import { type ActionUser, assertMayPerform, performAction, revertAction } from './perform-action.ts';
import { getProposal } from './proposal-queries.ts';
import { enqueueAgent } from './run-agent.ts';

type ApprovalResults = EndpointOutput<typeof agentModeApi.approve>['results'];
type ProposalRow = typeof agentProposals.$inferSelect;

/** Approves proposals one after the other: each action is a separate write, and stopping the assistant stops the rest. */
export async function approveProposals(
  deps: AppDeps,
  { input, ...call }: Call<typeof agentModeApi.approve>,
): Promise<{ results: ApprovalResults }> {
  const actionUser = { companyId: call.tenant.practiceId, ...call };
  const results: ApprovalResults = [];
  for (const { proposal_id: id, version } of input.proposals) results.push(await approve(deps, actionUser, id, version));
  return { results };
}

async function approve(deps: AppDeps, user: ActionUser, id: string, version: number): Promise<ApprovalResults[number]> {
  const startedAction = await startAction(deps, user, { id, version });
  if (!('proposal' in startedAction)) return { proposal_id: id, ...startedAction };
  let result: ActionResult;
  try {
    result = await performAction(deps, user, startedAction.proposal);
  } catch (error) {
    // After any other error the outcome is unknown: the draft stays as started, and approving it again performs it once.
    if (!(error instanceof AppError)) throw error;
    await finishAction(deps, user, startedAction.proposal, null);
    return { proposal_id: id, outcome: 'failed', message: error.message };
  }
  await finishAction(deps, user, startedAction.proposal, { result, isByAgent: false });
  return { proposal_id: id, outcome: 'done', message: null };
}

/** Locks and returns the draft. Throws notFound if the user may not see its client. */
export async function lockProposal(tx: Tx, companyId: string, actor: Actor, id: string): Promise<ProposalRow> {
  const [row] = await tx
    .select()
    .from(agentProposals)
    .where(
      and(
        eq(agentProposals.companyId, companyId),
        eq(agentProposals.id, id),
        isVisibleTo(actor, agentProposals.companyId, agentProposals.clientId),
      ),
    )
    .for('update');
  if (!row) throw createNotFoundError();
  return row;
}

export async function editProposal(
  deps: AppDeps,
  { input, tenant, actor, caller }: Call<typeof agentModeApi.edit>,
): Promise<EndpointOutput<typeof agentModeApi.edit>> {
  const { practiceId: companyId } = tenant;
  await deps.database.db.transaction(async (tx) => {
    const row = await lockProposal(tx, companyId, actor, input.proposal_id);
    if (row.state !== 'open' || row.version !== input.version) {
      const message =
        'This draft has changed since you opened it, so your text wasn’t saved. Copy your text, then close and reopen the draft.';
      throw new AppError('conflict', 'agent.changed_since', message);
    }
    // The reviewer relies on the names in the draft, and the approver may have more rights than the editor.
    if (!differOnlyInText(row.act, input.act))
      throw createInvalidFieldError('act', 'You can change the text of the draft, but not its action.');
    await tx
      .update(agentProposals)
      .set({ act: input.act, wording: 'person', version: row.version + 1 })
      .where(and(eq(agentProposals.companyId, companyId), eq(agentProposals.id, row.id)));
    await recordAudit(tx, {
      companyId,
      at: deps.clock.now(),
      actor: actor.userId,
      ip: caller.ip,
      action: 'agent.edited',
      subject: row.id,
      before: { act: row.act },
      after: { act: input.act, rule: row.ruleId, rule_version: row.ruleVersion },
    });
  });
  return getProposal(deps, companyId, actor, input.proposal_id);
}

const MAX_SNOOZE_DAYS = 180;
type RejectCall = Call<typeof agentModeApi.reject>;

export async function rejectProposals(deps: AppDeps, call: RejectCall): Promise<{ rejected: number }> {
  const { input, tenant, actor, caller } = call;
  const { practiceId: companyId } = tenant;
  const snoozeEnd = input.lesson === 'snooze' ? getSnoozeDay(deps, input.snooze_until) : null;
  if (input.lesson === 'threshold') assertMayManage(actor);
  return deps.database.db.transaction(async (tx) => {
    const rows = await tx
      .select()
      .from(agentProposals)
      .where(
        and(
          eq(agentProposals.companyId, companyId),
          isInIdList(agentProposals.id, input.proposal_ids),
          eq(agentProposals.state, 'open'),
          isVisibleTo(actor, agentProposals.companyId, agentProposals.clientId),
        ),
      )
      .orderBy(agentProposals.id)
      .for('update');
    if (rows.length === 0) return { rejected: 0 };
    await applyRejectionEffect(deps, tx, call, rows);
    const decisionFields = { decidedBy: actor.userId, decidedAt: deps.clock.now(), lesson: input.lesson, reason: input.reason || null };
    await tx
      .update(agentProposals)
      .set({ ...decisionFields, state: snoozeEnd === null ? 'rejected' : 'snoozed', snoozedUntil: snoozeEnd, draftedOn: null })
      .where(
        and(
          eq(agentProposals.companyId, companyId),
          isInIdList(
            agentProposals.id,
            rows.map(({ id }) => id),
          ),
        ),
      );
    await recordAudit(tx, {
      companyId,
      at: deps.clock.now(),
      actor: actor.userId,
      ip: caller.ip,
      action: 'agent.rejected',
      subject: rows.length === 1 ? (rows[0]?.id ?? '') : `${rows.length} drafts`,
      after: {
        lesson: input.lesson,
        reason: input.reason,
        ...(snoozeEnd === null ? {} : { snoozed_until: snoozeEnd }),
        ...(input.threshold === undefined ? {} : { threshold: input.threshold }),
        rules: [...new Set(rows.map(({ ruleId, ruleVersion }) => `${ruleId} ${ruleVersion}`))],
        client_ids: [...new Set(rows.map(({ clientId }) => clientId))],
      },
    });
    return { rejected: rows.length };
  });
}

function getSnoozeDay(deps: AppDeps, snoozeUntil: RejectCall['input']['snooze_until']) {
  const today = deps.clock.today();
  if (snoozeUntil === undefined || snoozeUntil <= today || snoozeUntil > addDays(today, MAX_SNOOZE_DAYS)) {
    throw createInvalidFieldError('snooze_until', `Choose a day in the next ${MAX_SNOOZE_DAYS} days.`);
  }
  return snoozeUntil;
}

async function applyRejectionEffect(
  deps: AppDeps,
  tx: Tx,
  { input, tenant, actor }: RejectCall,
  rows: readonly ProposalRow[],
): Promise<void> {
  const { practiceId: companyId } = tenant;
  const at = deps.clock.now();
  if (input.lesson === 'never') {
    const pairs = new Map(rows.map(({ clientId, ruleId }) => [`${clientId} ${ruleId}`, { clientId, ruleId }]));
    const values = [...pairs.values()].map((pair) => ({ companyId, ...pair, excludedBy: actor.userId, excludedAt: at }));
    await tx.insert(agentExclusions).values(values).onConflictDoNothing();
  }
  if (input.lesson === 'threshold') {
    const ids = [...new Set(rows.map(({ ruleId }) => ruleId))];
    const rule = findAgentRule(ids[0] ?? '');
    if (ids.length !== 1 || !rule)
      throw createInvalidFieldError('threshold', 'To change a rule’s threshold, select drafts from that rule only.');
    const { threshold } = rule;
    if (threshold === null) throw createInvalidFieldError('threshold', 'This rule has no threshold. Choose another reason.');
    if (input.threshold === undefined || input.threshold < threshold.min || input.threshold > threshold.max) {
      throw createInvalidFieldError('threshold', 'Enter a number within the rule’s limits.');
    }
    const changedSetting = { threshold: input.threshold, updatedAt: at };
    await tx
      .insert(agentRules)
      .values({ companyId, ruleId: rule.id, isOn: true, offTaxes: [], ...changedSetting })
      .onConflictDoUpdate({ target: [agentRules.companyId, agentRules.ruleId], set: changedSetting });
  }
  if (input.lesson === 'never' || input.lesson === 'threshold') await enqueueAgent(deps, tx, companyId, { isForAll: true });
}

/** Reverts an action by a user or the assistant, provided that its effect has stayed within the practice. */
export async function revertProposal(deps: AppDeps, call: Call<typeof agentModeApi.revert>): Promise<{ done: true }> {
  const { input, tenant, actor } = call;
  const { practiceId: companyId } = tenant;
  const row = await deps.database.db.transaction((tx) => lockProposal(tx, companyId, actor, input.proposal_id));
  if (row.state === 'reverted') return { done: true };
  if (row.state !== 'done' || !PROPOSED_ACTION_RULES[row.act.kind].canRevert) {
    throw new AppError('conflict', 'agent.not_revertible', 'This can’t be undone. Reload to see its current status.');
  }
  assertMayPerform(actor, row.act.kind);
  await revertAction(deps, { companyId, ...call }, row);
  await deps.database.db.transaction(async (tx) => {
    const isRow = and(eq(agentProposals.companyId, companyId), eq(agentProposals.id, row.id), eq(agentProposals.state, 'done'));
    const revertedProposals = await tx
      .update(agentProposals)
      .set({ state: 'reverted', decidedBy: actor.userId, decidedAt: deps.clock.now(), version: sql`${agentProposals.version} + 1` })
      .where(isRow)
      .returning({ id: agentProposals.id });
    if (revertedProposals.length === 0) return;
    const after = { rule: row.ruleId, rule_version: row.ruleVersion, act: row.act.kind, client_ids: [row.clientId] };
    await recordAudit(tx, {
      companyId,
      at: deps.clock.now(),
      actor: actor.userId,
      ip: call.caller.ip,
      action: 'agent.reverted',
      subject: row.id,
      after,
    });
  });
  return { done: true };
}
