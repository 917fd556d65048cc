/** The two commits around an action: the first rereads the facts and decides, the second stores the outcome. */
import type { Tx } from '@portal/db/database.ts';
import { type ActionResult, agentProposals } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { MANUAL_RULE_ID } from '@portal/domain/agent/agent-rules.ts';
import type { PracticeFacts } from '@portal/domain/agent/agent-facts.ts';
import { applyRules, type ClientProposal } from '@portal/domain/agent/apply-rules.ts';
import { PROPOSED_ACTION_RULES } from '@portal/domain/agent/proposed-action.ts';
import { toEpochMs } from '@portal/domain/clock.ts';
import type { AppDeps } from '../../app-deps.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { toCanonicalText } from '../positions/canonical-text.ts';
import { isVisibleTo } from '../positions/visible-clients.ts';
import { assertRunning } from './agent-settings.ts';
import { assertMayPerform, type ActionUser } from './perform-action.ts';
import { loadFacts, loadPracticeFacts } from './load-facts.ts';
import { readDisabledRules, readRuleSettings } from './rule-settings.ts';
import { storeProposals } from './store-proposals.ts';

type ProposalRow = typeof agentProposals.$inferSelect;
export type NotStartedResult = { readonly outcome: 'changed' | 'withdrawn' | 'already' | 'failed'; readonly message: string | null };

/** An action that hasn't ended within this time was lost with its process. Approving it again performs it once. */
const LOST_ACTION_TIMEOUT_MS = 60_000;

type ProposalKey = { readonly id: string; readonly version: number; readonly isByAgent?: boolean };

export async function startAction(
  deps: AppDeps,
  user: ActionUser,
  proposalKey: ProposalKey,
): Promise<{ readonly proposal: ProposalRow } | NotStartedResult> {
  const { companyId, actor } = user;
  return deps.database.db.transaction(async (tx) => {
    try {
      const settings = await assertRunning(tx, companyId);
      // The assistant acts automatically only while its mode allows it.
      if (proposalKey.isByAgent === true && settings.mode !== 'act_on_safe') return { outcome: 'already', message: null };
    } catch (error) {
      if (error instanceof AppError) return { outcome: 'failed', message: error.message };
      throw error;
    }
    const isRow = and(eq(agentProposals.companyId, companyId), eq(agentProposals.id, proposalKey.id));
    const [row] = await tx
      .select()
      .from(agentProposals)
      .where(and(isRow, isVisibleTo(actor, agentProposals.companyId, agentProposals.clientId)))
      .for('update');
    if (!row) return { outcome: 'failed', message: 'This draft no longer exists, or you no longer have access to its client.' };
    const wasLost =
      row.state === 'acting' && row.actingAt !== null && toEpochMs(deps.wallClock.now()) - toEpochMs(row.actingAt) > LOST_ACTION_TIMEOUT_MS;
    if (row.state !== 'open' && !wasLost) return { outcome: 'already', message: null };
    if (proposalKey.isByAgent === true && !PROPOSED_ACTION_RULES[row.act.kind].isSafe) return { outcome: 'already', message: null };
    try {
      assertMayPerform(actor, row.act.kind);
    } catch (error) {
      if (error instanceof AppError) return { outcome: 'failed', message: error.message };
      throw error;
    }
    if (row.version !== proposalKey.version) return { outcome: 'changed', message: null };
    const staleReason = wasLost ? null : await recheckProposal(deps, tx, row);
    if (staleReason !== null) return staleReason;
    const actingUpdate = { state: 'acting' as const, actingAt: deps.wallClock.now(), decidedBy: actor.userId };
    await tx.update(agentProposals).set(actingUpdate).where(isRow);
    return { proposal: { ...row, ...actingUpdate } };
  });
}

/** Reevaluates the rule on the current facts. */
async function recheckProposal(deps: AppDeps, tx: Tx, row: ProposalRow): Promise<NotStartedResult | null> {
  if (row.ruleId === MANUAL_RULE_ID) return null;
  const { companyId, clientId } = row;
  const [today, now] = [deps.clock.today(), deps.clock.now()];
  const [client] = await loadFacts(tx, { companyId, today, publicUrl: deps.site.publicUrl }, [clientId]);
  const offRules = await readDisabledRules(tx, companyId, [clientId]);
  const settings = await readRuleSettings(tx, companyId);
  const find = (practice: PracticeFacts) => (client ? applyRules(client, { today, practice, settings }, offRules.get(clientId)) : []);
  const isThis = ({ rule_id: id, subject }: ClientProposal): boolean => id === row.ruleId && subject === row.subject;
  const isSame = (candidate: ClientProposal): boolean => toCanonicalText(candidate.act) === toCanonicalText(row.ruleAct);
  // Read the team's workload only if it matters, because that costs as much as reading many clients.
  const proposalWithoutColleagues = find({ colleagues: [] }).find(isThis);
  if (proposalWithoutColleagues && isSame(proposalWithoutColleagues)) return null;
  const foundProposals = find(await loadPracticeFacts(tx, companyId, today));
  const recheckedProposal = foundProposals.find(isThis);
  // The suggested member changes with every approval and may differ now, but the user chose this one.
  if (recheckedProposal && (row.act.kind === 'assign' || isSame(recheckedProposal))) return null;
  await storeProposals(tx, { companyId, today, now }, [clientId], foundProposals);
  return { outcome: recheckedProposal ? 'changed' : 'withdrawn', message: null };
}

type FinishedAction = { readonly result: ActionResult; readonly isByAgent: boolean };

/** Stores the outcome, or null if the action turned out to be impossible, which reopens the draft. */
export async function finishAction(
  deps: AppDeps,
  { companyId, actor, caller }: ActionUser,
  row: ProposalRow,
  finishedAction: FinishedAction | null,
): Promise<void> {
  const isRow = and(eq(agentProposals.companyId, companyId), eq(agentProposals.id, row.id), eq(agentProposals.state, 'acting'));
  const at = deps.clock.now();
  await deps.database.db.transaction(async (tx) => {
    const changes = finishedAction
      ? { state: 'done' as const, decidedAt: at, isByAgent: finishedAction.isByAgent, result: finishedAction.result }
      : { state: 'open' as const, decidedBy: null };
    const updatedProposals = await tx
      .update(agentProposals)
      .set({ ...changes, actingAt: null })
      .where(isRow)
      .returning({ id: agentProposals.id });
    if (!finishedAction || updatedProposals.length === 0) return;
    await recordAudit(tx, {
      companyId,
      at,
      actor: actor.userId,
      ip: caller.ip,
      action: finishedAction.isByAgent ? 'agent.acted' : 'agent.approved',
      subject: row.id,
      after: { rule: row.ruleId, rule_version: row.ruleVersion, act: row.act.kind, title: row.title, client_ids: [row.clientId] },
    });
  });
}
