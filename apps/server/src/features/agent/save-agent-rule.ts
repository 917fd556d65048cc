/** Changes a rule's settings for the practice, or switches it off for one client. */
import type { agentModeApi } from '@portal/contract/agent.ts';
import { agentExclusions, agentRules } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { findAgentRule } from '@portal/domain/agent/agent-rules.ts';
import { ALL_RULES_ID } from '@portal/domain/agent/apply-rules.ts';
import { createInvalidFieldError } from '@portal/domain/app-error.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { enqueueAgent } from './run-agent.ts';

export async function saveAgentRule(
  deps: AppDeps,
  { input, tenant, actor, caller }: Call<typeof agentModeApi.saveRule>,
): Promise<{ done: true }> {
  const { practiceId: companyId } = tenant;
  const rule = findAgentRule(input.rule_id);
  if (!rule) throw createInvalidFieldError('rule_id', 'Choose a rule from the list.');
  const { threshold } = rule;
  if (input.threshold !== null && (threshold === null || input.threshold < threshold.min || input.threshold > threshold.max)) {
    throw createInvalidFieldError(
      'threshold',
      threshold === null ? 'This rule has no threshold.' : 'Enter a number within the rule’s limits.',
    );
  }
  const at = deps.clock.now();
  await deps.database.db.transaction(async (tx) => {
    const values = {
      isOn: input.is_on,
      threshold: input.threshold === threshold?.normal ? null : input.threshold,
      offTaxes: input.off_taxes.filter((tax) => rule.taxes.includes(tax)),
      updatedAt: at,
    };
    await tx
      .insert(agentRules)
      .values({ companyId, ruleId: rule.id, ...values })
      .onConflictDoUpdate({ target: [agentRules.companyId, agentRules.ruleId], set: values });
    const after = { is_on: values.isOn, threshold: values.threshold, off_taxes: values.offTaxes, rule_version: rule.version };
    await recordAudit(tx, { companyId, at, actor: actor.userId, ip: caller.ip, action: 'agent.rule_set', subject: rule.id, after });
    await enqueueAgent(deps, tx, companyId, { isForAll: true });
  });
  return { done: true };
}

export async function excludeClient(
  deps: AppDeps,
  { input, tenant, actor, caller }: Call<typeof agentModeApi.exclude>,
): Promise<{ done: true }> {
  const { practiceId: companyId, clientId } = tenant;
  const { rule_id: ruleId, is_off: isOff } = input;
  if (ruleId !== ALL_RULES_ID && !findAgentRule(ruleId)) throw createInvalidFieldError('rule_id', 'Choose a rule from the list.');
  const at = deps.clock.now();
  await deps.database.db.transaction(async (tx) => {
    const row = { companyId, clientId, ruleId };
    const { companyId: company, clientId: client, ruleId: rule } = agentExclusions;
    if (isOff)
      await tx
        .insert(agentExclusions)
        .values({ ...row, excludedBy: actor.userId, excludedAt: at })
        .onConflictDoNothing();
    else await tx.delete(agentExclusions).where(and(eq(company, companyId), eq(client, clientId), eq(rule, ruleId)));
    const after = { rule: ruleId, is_off: isOff, client_ids: [clientId] };
    await recordAudit(tx, { companyId, at, actor: actor.userId, ip: caller.ip, action: 'agent.client_set', subject: clientId, after });
    await enqueueAgent(deps, tx, companyId, { isForAll: false });
  });
  return { done: true };
}
