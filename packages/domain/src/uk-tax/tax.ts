/** The taxes that the portal shows, in display order: VAT, PAYE, corporation tax, Self Assessment. */
export const TAXES = ['vat', 'paye', 'ct', 'sa'] as const;
export type Tax = (typeof TAXES)[number];

/** The taxes for which HMRC's APIs let agents get authorisations and figures. Source: HMRC, Agent Authorisation API 2.0. */
export const AGENT_TAXES = ['vat', 'sa'] as const;
export type AgentTax = (typeof AGENT_TAXES)[number];

/** Tax names on screens and in emails, as written at the start of a sentence. */
export const TAX_NAMES: Readonly<Record<Tax, string>> = { vat: 'VAT', paye: 'PAYE', ct: 'Corporation tax', sa: 'Self Assessment' };

/** Tax names as written within a sentence. */
export const TAX_NAMES_IN_SENTENCE: Readonly<Record<Tax, string>> = { ...TAX_NAMES, ct: 'corporation tax' };
