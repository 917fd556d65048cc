/** Where the process is to be killed: before or after the nth step of a name, counted from the arming. */

export type Phase = 'before' | 'after';
export type KillPoint = { readonly label: string; readonly nth: number; readonly phase: Phase };
/** Told to the process over its channel: one named point, or the so-many-th point it passes whatever it is; without either it only writes down the steps. */
export type Arming = { readonly killAt?: KillPoint; readonly killAtPoint?: number };

/** Asks the embedded database of the living process, which nobody else can open. */
export type Question = { readonly ask: string };
export type Answered = { readonly rows: readonly unknown[] };

/** The points of a recorded life, each once, in the order in which it passed them. */
export function readKillPoints(trace: string): KillPoint[] {
  const points = trace
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as KillPoint);
  return [...new Map(points.map((point) => [tellPoint(point), point])).values()];
}

/** "before commit filings + audit_entries", with the number where it is not the first. */
export function tellPoint({ label, nth, phase }: KillPoint): string {
  return `${phase} ${label}${nth > 1 ? ` (${nth})` : ''}`;
}
