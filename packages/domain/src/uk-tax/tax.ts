/** A tax that the portal shows, in the order of its lists: VAT, PAYE, corporation tax, self assessment. */
export const TAXES = ['vat', 'paye', 'ct', 'sa'] as const;
export type Tax = (typeof TAXES)[number];

/** The taxes that HMRC's APIs serve to agents: authorisations and readings. Authority: HMRC, Agent Authorisation API 2.0. */
export const AGENT_TAXES = ['vat', 'sa'] as const;
export type AgentTax = (typeof AGENT_TAXES)[number];

/** The taxes as screens and emails name them, at the start of a sentence. */
export const TAX_NAMES: Readonly<Record<Tax, string>> = { vat: 'VAT', paye: 'PAYE', ct: 'Corporation tax', sa: 'Self Assessment' };

/** The same within a sentence. */
export const TAX_NAMES_IN_SENTENCE: Readonly<Record<Tax, string>> = { ...TAX_NAMES, ct: 'corporation tax' };
