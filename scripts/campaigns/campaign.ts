/** Defines a reliability campaign. `npm run campaign` runs campaigns, and adds each run to `docs/campaigns.jsonl`. */

export const ENGINES = ['embedded', 'postgres'] as const;
export type Engine = (typeof ENGINES)[number];

export type Campaign = {
  /** The name on the command line. */
  readonly name: string;
  /** A sentence stating what the campaign proves. */
  readonly proves: string;
  /** The unit that is counted: kills, calls, faults, minutes. */
  readonly unit: string;
  /** The target on each engine, accumulated across runs. */
  readonly target: number;
  /** The number of steps in one bounded run. */
  readonly defaultCount: number;
  /** The engines it can run on, the default first. If omitted: both. */
  readonly engines?: readonly Engine[];
  readonly run: (context: CampaignContext) => Promise<CampaignOutcome>;
};

export type CampaignContext = {
  readonly seed: number;
  /** How many steps to do. Unlimited if the run is limited by time. */
  readonly count: number;
  readonly engine: Engine;
  readonly log: (line: string) => void;
  /** Aborted by Ctrl-C, or when time is up. The campaign then stops soon and returns its results so far. */
  readonly signal: AbortSignal;
};

export type CampaignOutcome = {
  readonly done: number;
  /** One sentence for each violated rule; empty if every rule held. */
  readonly findings: readonly string[];
  /** Other measurements. */
  readonly figures: Readonly<Record<string, string | number>>;
};

/** Returns the engines that a campaign can run on, the default first. */
export function listEngines({ engines }: Campaign): readonly Engine[] {
  return engines ?? ENGINES;
}
