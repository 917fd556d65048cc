/** Lists the published rules with the practice's settings and its users' decisions. */
import type { agentModeApi } from '@portal/contract/agent.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { agentExclusions, agentProposals, clients, users } from '@portal/db/schema/schema.ts';
import { and, asc, eq, sql } from '@portal/db/sql.ts';
import { AGENT_RULES, findAgentRule, RULES_LIST_VERSION } from '@portal/domain/agent/agent-rules.ts';
import { ALL_RULES_ID } from '@portal/domain/agent/apply-rules.ts';
import { PROPOSED_ACTION_RULES } from '@portal/domain/agent/proposed-action.ts';
import { addDays } from '@portal/domain/plain-date.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import { isVisibleTo } from '../positions/visible-clients.ts';
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
