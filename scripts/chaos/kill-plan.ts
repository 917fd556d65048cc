/** Describes where the process is killed: before or after the nth occurrence of a step, counted from when the plan was armed. */

export type Phase = 'before' | 'after';
export type KillPoint = { readonly label: string; readonly nth: number; readonly phase: Phase };
/**
 * Sent to the process over IPC: kill at a named point, or at the nth point of any kind. If neither is given, the steps are only recorded.
 */
export type KillPlan = { readonly killAt?: KillPoint; readonly killAtPoint?: number };

/** A query on the running process's embedded database, which no other process can open. */
export type QueryRequest = { readonly query: string };
export type QueryResponse = { readonly rows: readonly unknown[] };

/** Returns the distinct kill points of a recorded run, in order. */
export function readKillPoints(trace: string): KillPoint[] {
  const points = trace
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as KillPoint);
  return [...new Map(points.map((point) => [formatPoint(point), point])).values()];
}

/** Formats a point as "before commit filings + audit_entries", adding the occurrence number from the second one. */
export function formatPoint({ label, nth, phase }: KillPoint): string {
  return `${phase} ${label}${nth > 1 ? ` (${nth})` : ''}`;
}
