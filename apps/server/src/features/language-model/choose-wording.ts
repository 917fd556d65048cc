/** Lets a practice member use an offered rewording or keep the original. */
import type { languageModelApi } from '@portal/contract/language-model.ts';
import { proposedAction } from '@portal/contract/proposed-action.ts';
import { agentProposals, languageModelCalls } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { checkRewording } from '@portal/domain/language-model/check-rewording.ts';
import { maskFacts } from '@portal/domain/language-model/mask-facts.ts';
import { getRewordableText, replaceRewordableText } from '@portal/domain/language-model/reword-action.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import { lockProposal } from '../agent/decide-proposals.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { loadNames } from './load-names.ts';
import { findCall } from './reword-draft.ts';

const createChangedError = (): AppError =>
  new AppError(
    'conflict',
    'agent.changed_since',
    'This draft has changed since it was reworded, so it was left as it is. Reword it again.',
  );

export async function chooseWording(
  deps: AppDeps,
  { input, tenant, actor, caller }: Call<typeof languageModelApi.choose>,
): Promise<{ done: true }> {
  const { practiceId: companyId } = tenant;
  await deps.database.db.transaction(async (tx) => {
    const call = await findCall(tx, companyId, input.call_id);
    if (!call || call.askedBy !== actor.userId) throw createNotFoundError();
    const requestedChoice = input.uses_rewording ? 'used' : 'declined';
    if (call.state === requestedChoice) return;
    if (call.state !== 'offered' || call.receivedText === null) throw createChangedError();
    const wordingChoice = { state: requestedChoice, chosenBy: actor.userId, chosenAt: deps.wallClock.now() } as const;
    const isCall = and(eq(languageModelCalls.companyId, companyId), eq(languageModelCalls.id, call.id));
    if (!input.uses_rewording) {
      await tx.update(languageModelCalls).set(wordingChoice).where(isCall);
      return;
    }
    const row = await lockProposal(tx, companyId, actor, call.proposalId);
    const original = getRewordableText(row.act);
    if (row.state !== 'open' || row.version !== call.proposalVersion || original === null) throw createChangedError();
    // Recompute the decision from the stored text: the browser sends none.
    const { hidden } = await loadNames(tx, companyId, row.clientId, actor);
    const rewordingCheck = checkRewording(original, maskFacts(original, hidden), call.receivedText, hidden);
    if (!('text' in rewordingCheck)) throw createChangedError();
    const parsed = proposedAction.safeParse(replaceRewordableText(row.act, rewordingCheck.text));
    if (!parsed.success) throw createChangedError();
    const isProposal = and(eq(agentProposals.companyId, companyId), eq(agentProposals.id, row.id));
    await tx
      .update(agentProposals)
      .set({ act: parsed.data, wording: 'model', version: row.version + 1 })
      .where(isProposal);
    await tx.update(languageModelCalls).set(wordingChoice).where(isCall);
    await recordAudit(tx, {
      companyId,
      at: deps.clock.now(),
      actor: actor.userId,
      ip: caller.ip,
      action: 'agent.reworded',
      subject: row.id,
      before: { act: row.act },
      after: { act: parsed.data, rule: row.ruleId, rule_version: row.ruleVersion, call: call.id, model: call.model },
    });
  });
  return { done: true };
}
