/** A practice's settings for each rule and each client. */
import type { Db, Tx } from '@portal/db/database.ts';
import { agentExclusions, agentRules } from '@portal/db/schema/schema.ts';
import { isInIdList } from '@portal/db/in-id-list.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { RuleSettings } from '@portal/domain/agent/apply-rules.ts';

export async function readRuleSettings(db: Db | Tx, companyId: string): Promise<RuleSettings> {
  const rows = await db.select().from(agentRules).where(eq(agentRules.companyId, companyId));
  return new Map(rows.map(({ ruleId, isOn, threshold, offTaxes }) => [ruleId, { isOn, threshold, offTaxes }]));
}

/** Returns the rules that are off for each of these clients. */
export async function readDisabledRules(
  db: Db | Tx,
  companyId: string,
  clientIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const rows = await db
    .select({ clientId: agentExclusions.clientId, ruleId: agentExclusions.ruleId })
    .from(agentExclusions)
    .where(and(eq(agentExclusions.companyId, companyId), isInIdList(agentExclusions.clientId, clientIds)));
  const offByRule = new Map<string, Set<string>>();
  for (const { clientId, ruleId } of rows) offByRule.set(clientId, (offByRule.get(clientId) ?? new Set()).add(ruleId));
  return offByRule;
}
