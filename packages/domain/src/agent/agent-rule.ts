/** What a rule of the agent is. agent-rules.ts lists the published rules. */
import type { FigureSource } from '../positions/tax-facts.ts';
import type { PlainDate } from '../plain-date.ts';
import type { Tax } from '../uk-tax/tax.ts';
import type { ClientFacts, PracticeFacts } from './agent-facts.ts';
import type { ActKind, ProposedAct } from './proposed-act.ts';

/** Where a fact can be seen. The web app turns it into a link. */
export const FACT_PAGES = ['client', 'vat', 'papers', 'tasks', 'messages', 'statements', 'team'] as const;
export type FactPage = (typeof FACT_PAGES)[number];

/** One fact behind a proposal, with its page, source and age. `as_of` is null for what the practice itself recorded, and for rules. */
export type AgentFact = {
  readonly label: string;
  readonly text: string;
  readonly page: FactPage;
  readonly source: FigureSource | 'practice';
  readonly as_of: PlainDate | null;
};

/** What a rule found. With rule and client, `subject` identifies it for good: the same matter is proposed once. */
export type Finding = {
  readonly subject: string;
  /** What was noticed, in one sentence, with the client's name left out. */
  readonly title: string;
  readonly tax: Tax | null;
  readonly facts: readonly [AgentFact, ...AgentFact[]];
  readonly act: ProposedAct;
  /** The day by which it matters; null if it has none. */
  readonly due_on: PlainDate | null;
};

/** Units of a threshold, as people enter it: pounds for pence. */
export type ThresholdUnit = 'pence' | 'days' | 'percent' | 'count';

/** The number that a practice may change, with the text around it: “Remind {n} days before”. */
export type Threshold = {
  readonly unit: ThresholdUnit;
  readonly text: string;
  readonly normal: number;
  readonly min: number;
  readonly max: number;
  /** Whether a higher number proposes less, so that rejecting as “too small” raises it. */
  readonly isFloor: boolean;
};

export type RuleContext = {
  readonly today: PlainDate;
  /** 0 for a rule without one. */
  readonly threshold: number;
  readonly practice: PracticeFacts;
};

/** Pure: the same facts, day and threshold give the same findings. A change of what a rule finds or proposes raises its version. */
export type AgentRule = {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly looksFor: string;
  /** The facts it reads, in words. */
  readonly reads: readonly string[];
  readonly proposes: ActKind;
  /** Empty if it isn't about a tax. */
  readonly taxes: readonly Tax[];
  readonly threshold: Threshold | null;
  /** The law or guidance behind it; null where none is involved. */
  readonly law: { readonly text: string; readonly url: string } | null;
  /** Rules whose proposal for the same client and tax says less, and is left out. */
  readonly replaces: readonly string[];
  readonly find: (client: ClientFacts, context: RuleContext) => readonly Finding[];
};

/** A rule with the usual values filled in. */
export function defineRule(
  rule: Pick<AgentRule, 'id' | 'version' | 'name' | 'looksFor' | 'reads' | 'proposes' | 'find'> & Partial<AgentRule>,
): AgentRule {
  return { taxes: [], threshold: null, law: null, replaces: [], ...rule };
}
