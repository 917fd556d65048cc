/** The agent's published rules, in display order. Each rule has a version, and so does the list. */
import type { AgentRule } from './agent-rule.ts';
import { AUTHORISATION_RULES } from './authorisation-rules.ts';
import { CLIENT_RULES } from './client-rules.ts';
import { DEADLINE_RULES } from './deadline-rules.ts';
import { IDENTITY_RULES } from './identity-rules.ts';
import { DOCUMENT_RULES } from './document-rules.ts';
import { PAYMENT_RULES } from './payment-rules.ts';
import { PREPARED_RETURN_RULES } from './prepared-return-rules.ts';
import { REFUND_RULES } from './refund-rules.ts';
import { REGISTRATION_RULES } from './registration-rules.ts';
import { TEAM_RULES } from './team-rules.ts';
import { VAT_SCHEME_RULES } from './vat-scheme-rules.ts';

/** Increases with every change to a rule. */
export const RULES_LIST_VERSION = 5;

export const AGENT_RULES: readonly AgentRule[] = [
  ...DEADLINE_RULES,
  ...PREPARED_RETURN_RULES,
  ...PAYMENT_RULES,
  ...REFUND_RULES,
  ...AUTHORISATION_RULES,
  ...DOCUMENT_RULES,
  ...CLIENT_RULES,
  ...IDENTITY_RULES,
  ...REGISTRATION_RULES,
  ...VAT_SCHEME_RULES,
  ...TEAM_RULES,
];

/** The id for proposals by users and their own assistants; it isn’t a rule. */
export const MANUAL_RULE_ID = 'by-request';

const byId = new Map(AGENT_RULES.map((rule) => [rule.id, rule]));

export function findAgentRule(id: string): AgentRule | undefined {
  return byId.get(id);
}
