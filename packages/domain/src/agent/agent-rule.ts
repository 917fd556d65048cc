/** Defines the agent's rules. agent-rules.ts lists the published ones. */
import type { FigureSource } from '../positions/tax-facts.ts';
import type { PlainDate } from '../plain-date.ts';
import type { Tax } from '../uk-tax/tax.ts';
import type { ClientFacts, PracticeFacts } from './agent-facts.ts';
import type { ProposedAction, ProposedActionKind } from './proposed-action.ts';

/** The page that shows a fact. The web app turns it into a link. */
export const FACT_PAGES = ['client', 'vat', 'papers', 'tasks', 'messages', 'statements', 'team'] as const;
export type FactPage = (typeof FACT_PAGES)[number];

/** One fact behind a proposal, with its page, source and age. `as_of` is null for rules and for facts that the practice recorded. */
export type AgentFact = {
  readonly label: string;
  readonly text: string;
  readonly page: FactPage;
  readonly source: FigureSource | 'practice';
  readonly as_of: PlainDate | null;
};

/** A rule's finding. `subject`, with rule and client, identifies it permanently, so that the same subject is proposed only once. */
export type Finding = {
  readonly subject: string;
  /** The finding in one sentence, without the client's name. */
  readonly title: string;
  readonly tax: Tax | null;
  readonly facts: readonly [AgentFact, ...AgentFact[]];
  readonly act: ProposedAction;
  /** The day by which it matters; null if there isn't one. */
  readonly due_on: PlainDate | null;
};

/** The unit of a threshold. Users enter pence as pounds. */
export const THRESHOLD_UNITS = ['pence', 'days', 'percent', 'count'] as const;
export type ThresholdUnit = (typeof THRESHOLD_UNITS)[number];

/** The number that a practice may change, within its text: “Remind {n} days before”. */
export type Threshold = {
  readonly unit: ThresholdUnit;
  readonly text: string;
  readonly normal: number;
  readonly min: number;
  readonly max: number;
  /** True if a higher number means fewer proposals, so that rejecting one as “too small” raises it. */
  readonly isFloor: boolean;
};

export type RuleContext = {
  readonly today: PlainDate;
  /** 0 for a rule without a threshold. */
  readonly threshold: number;
  readonly practice: PracticeFacts;
};

/**
 * Pure: the same facts, day and threshold give the same findings. Any change in what a rule finds or proposes raises its
 * version; new wording alone doesn't, because each proposal keeps its own text.
 */
export type AgentRule = {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly looksFor: string;
  /** A description of the facts it reads. */
  readonly reads: readonly string[];
  readonly proposes: ProposedActionKind;
  /** Empty if the rule isn't about any tax. */
  readonly taxes: readonly Tax[];
  readonly threshold: Threshold | null;
  /** The law or guidance behind the rule; null if none applies. */
  readonly law: { readonly text: string; readonly url: string } | null;
  /** Rules whose proposal for the same client and tax is omitted because it is less specific. */
  readonly replaces: readonly string[];
  readonly find: (client: ClientFacts, context: RuleContext) => readonly Finding[];
};

/** Creates a rule, filling in the default values. */
export function defineRule(
  rule: Pick<AgentRule, 'id' | 'version' | 'name' | 'looksFor' | 'reads' | 'proposes' | 'find'> & Partial<AgentRule>,
): AgentRule {
  return { taxes: [], threshold: null, law: null, replaces: [], ...rule };
}
