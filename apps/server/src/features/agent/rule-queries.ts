/** Lists the published rules with the practice's settings and its users' decisions, and changes the settings. */
import type { agentModeApi } from '@portal/contract/agent.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { agentExclusions, agentProposals, agentRules, clients, users } from '@portal/db/schema/schema.ts';
import { and, asc, eq, sql } from '@portal/db/sql.ts';
import { AGENT_RULES, findAgentRule, RULES_LIST_VERSION } from '@portal/domain/agent/agent-rules.ts';
import { ALL_RULES_ID } from '@portal/domain/agent/apply-rules.ts';
import { PROPOSED_ACTION_RULES } from '@portal/domain/agent/proposed-action.ts';
import { createInvalidFieldError } from '@portal/domain/app-error.ts';
import { addDays } from '@portal/domain/plain-date.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { isVisibleTo } from '../positions/visible-clients.ts';
import { enqueueAgent } from './run-agent.ts';
import { readRuleSettings } from './rule-settings.ts';

const COUNTED_DAYS = 90;

export async function listAgentRules(
  deps: AppDeps,
  { tenant, actor }: Call<typeof agentModeApi.rules>,
): Promise<EndpointOutput<typeof agentModeApi.rules>> {
  const { practiceId: companyId } = tenant;
  const { db } = deps.database;
  const settings = await readRuleSettings(db, companyId);
  const counts = await countDecisions(deps, companyId);
  const exclusions = await db
    .select({ client_id: clients.id, client: clients.name, rule_id: agentExclusions.ruleId, by: users.fullName })
    .from(agentExclusions)
    .innerJoin(clients, and(eq(clients.companyId, agentExclusions.companyId), eq(clients.id, agentExclusions.clientId)))
    .innerJoin(users, eq(users.id, agentExclusions.excludedBy))
    .where(and(eq(agentExclusions.companyId, companyId), isVisibleTo(actor, agentExclusions.companyId, agentExclusions.clientId)))
    .orderBy(asc(clients.name), asc(agentExclusions.ruleId))
    .limit(500);
  return {
    version: RULES_LIST_VERSION,
    rules: AGENT_RULES.map(({ id, threshold, looksFor, law, replaces: _replaces, find: _find, reads, taxes, ...rule }) => ({
      rule_id: id,
      version: rule.version,
      name: rule.name,
      looks_for: looksFor,
      reads: [...reads],
      proposes: rule.proposes,
      proposes_text: PROPOSED_ACTION_RULES[rule.proposes].name,
      is_safe: PROPOSED_ACTION_RULES[rule.proposes].isSafe,
      taxes: [...taxes],
      law,
      threshold: threshold && {
        unit: threshold.unit,
        text: threshold.text,
        normal: threshold.normal,
        min: threshold.min,
        max: threshold.max,
        value: settings.get(id)?.threshold ?? threshold.normal,
      },
      is_on: settings.get(id)?.isOn ?? true,
      off_taxes: [...(settings.get(id)?.offTaxes ?? [])],
      ...(counts.get(id) ?? { done: 0, rejected: 0, wrong: 0 }),
    })),
    exclusions: exclusions.map((exclusion) => ({
      ...exclusion,
      rule_name: exclusion.rule_id === ALL_RULES_ID ? 'All rules' : (findAgentRule(exclusion.rule_id)?.name ?? exclusion.rule_id),
    })),
  };
}

async function countDecisions({ database: { db }, clock }: AppDeps, companyId: string) {
  const rows = await db
    .select({
      ruleId: agentProposals.ruleId,
      done: sql`count(*) filter (where ${agentProposals.state} in ('done', 'reverted'))`.mapWith(Number),
      rejected: sql`count(*) filter (where ${agentProposals.state} = 'rejected')`.mapWith(Number),
      wrong: sql`count(*) filter (where ${agentProposals.lesson} = 'wrong')`.mapWith(Number),
    })
    .from(agentProposals)
    .where(and(eq(agentProposals.companyId, companyId), sql`${agentProposals.decidedAt} >= ${addDays(clock.today(), -COUNTED_DAYS)}::date`))
    .groupBy(agentProposals.ruleId);
  return new Map(rows.map(({ ruleId, ...counts }) => [ruleId, counts]));
}

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
