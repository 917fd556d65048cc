/**
 * The slider's stops for the number of connections: close together at the start, where a few connections matter, and further apart at the
 * end.
 */
const RANGES = [
  { to: 20, step: 1 },
  { to: 100, step: 5 },
  { to: 500, step: 10 },
  { to: 1_000, step: 50 },
  { to: 5_000, step: 250 },
  { to: 10_000, step: 500 },
] as const;

const STOPS: readonly number[] = RANGES.reduce<number[]>(
  (stops, { to, step }) => {
    for (let next = (stops.at(-1) ?? 0) + step; next <= to; next += step) stops.push(next);
    return stops;
  },
  [0],
);

export const LAST_STOP = STOPS.length - 1;

export function getConnections(stop: number): number {
  return STOPS[stop] ?? 0;
}

/** Finds the last stop at or below the number, which users can also type. */
export function findStop(connections: number): number {
  return Math.max(
    0,
    STOPS.findLastIndex((stop) => stop <= connections),
  );
}
