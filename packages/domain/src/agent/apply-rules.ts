/** Applies the rules to a client's facts. This is the only place that makes proposals. */
import type { PlainDate } from '../plain-date.ts';
import type { Tax } from '../uk-tax/tax.ts';
import type { ClientFacts, PracticeFacts } from './agent-facts.ts';
import { AGENT_RULES } from './agent-rules.ts';
import type { Finding } from './agent-rule.ts';

/** A practice's settings for a rule. A rule without settings is on, with its default threshold, for all its taxes. */
export type RuleSetting = { readonly isOn: boolean; readonly threshold: number | null; readonly offTaxes: readonly Tax[] };
export type RuleSettings = ReadonlyMap<string, RuleSetting>;

/** The rules that are off for a client; ALL_RULES_ID turns off all of them. */
export const ALL_RULES_ID = 'every-rule';

export type ClientProposal = Finding & { readonly rule_id: string; readonly rule_version: number; readonly client_id: string };

export type RuleEnvironment = { readonly today: PlainDate; readonly practice: PracticeFacts; readonly settings: RuleSettings };

/**
 * Returns the proposals for one client, in rule order. If two rules are about the same subject, only the more specific one makes a proposal
 * (`replaces`).
 */
export function applyRules(
  client: ClientFacts,
  { today, practice, settings }: RuleEnvironment,
  offRules: ReadonlySet<string> = new Set(),
): ClientProposal[] {
  if (offRules.has(ALL_RULES_ID)) return [];
  const foundProposals: ClientProposal[] = [];
  const replacedRuleIds = new Set<string>();
  for (const rule of AGENT_RULES) {
    const setting = settings.get(rule.id);
    if (setting?.isOn === false || offRules.has(rule.id)) continue;
    const threshold = setting?.threshold ?? rule.threshold?.normal ?? 0;
    for (const finding of rule.find(client, { today, threshold, practice })) {
      if (finding.tax !== null && setting?.offTaxes.includes(finding.tax)) continue;
      foundProposals.push({ ...finding, rule_id: rule.id, rule_version: rule.version, client_id: client.client_id });
      for (const id of rule.replaces) replacedRuleIds.add(`${id} ${finding.tax}`);
    }
  }
  return replacedRuleIds.size === 0
    ? foundProposals
    : foundProposals.filter(({ rule_id: id, tax }) => !replacedRuleIds.has(`${id} ${tax}`));
}
