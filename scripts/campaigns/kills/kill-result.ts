import type { RandomSource } from '../../chaos/random.ts';
import type { Engine } from '../campaign.ts';

export type KillContext = {
  readonly random: RandomSource;
  readonly seed: number;
  readonly engine: Engine;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
  /** The last step before each kill, across all parts. */
  readonly steps: Set<string>;
};

export type KillResult = {
  readonly kills: number;
  /** How often the portal ended without being killed. */
  readonly crashes: number;
  /** HMRC's refresh tokens work only once, so a kill between its response and our commit ends the connection (docs/decisions/0026). */
  readonly lostConnections: number;
  readonly findings: readonly string[];
};

/** An unexpected error is a finding. The kills before it still count. */
export function describeError(error: unknown): string {
  return `it ended with an error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}
