/** The record of a run: calls, responses, times, endpoints reached in a valid state, and findings without duplicates. */
import { ALL_ENDPOINTS } from '@portal/contract/all-endpoints.ts';
import type { Endpoint } from '@portal/contract/endpoint.ts';

/** A tenant as the oracle sees it: text containing its marker must never reach another tenant. */
export type Tenant = {
  readonly marker: string;
  /** Set if several sequences change its rows at the same time. */
  readonly isShared?: boolean;
};

export type CampaignRecord = ReturnType<typeof createRecord>;

const ROUTES: ReadonlySet<string> = new Set(
  Object.values(ALL_ENDPOINTS).flatMap((api) => Object.values<Endpoint>(api).map(({ method, path }) => `${method} /portal${path}`)),
);

/** More examples of the same kind add nothing. */
const MAX_EXAMPLES = 3;

export function createRecord(log: (line: string) => void) {
  const findings = new Map<string, { count: number; readonly examples: string[] }>();
  const statuses = new Map<number, number>();
  const reachedPlaces = new Set<string>();
  const corruptionCounts = new Map<string, number>();
  const milliseconds: number[] = [];
  let calls = 0;
  let derailedCount = 0;
  return {
    countCall(status: number, duration: number): void {
      calls += 1;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      milliseconds.push(duration);
    },
    countCorrupted(route: string): void {
      corruptionCounts.set(route, (corruptionCounts.get(route) ?? 0) + 1);
    },
    reach(route: string): void {
      reachedPlaces.add(route);
    },
    /** Records that a sequence ended early because an accepted corrupted call used up something that the valid call needs. */
    derail(): void {
      derailedCount += 1;
    },
    /** `kind` identifies findings that are the same. */
    find(kind: string, example: string): void {
      const knownFinding = findings.get(kind);
      if (knownFinding) {
        knownFinding.count += 1;
        if (knownFinding.examples.length < MAX_EXAMPLES) knownFinding.examples.push(example);
        return;
      }
      findings.set(kind, { count: 1, examples: [example] });
      log(`finding: ${kind}: ${example.slice(0, 900)}`);
    },
    calls: () => calls,
    findings: (): string[] =>
      [...findings].map(([kind, { count, examples }]) => `${kind} (${count} times): ${examples.join(' | ').slice(0, 1_500)}`),
    missed: (): string[] => [...ROUTES].filter((route) => !reachedPlaces.has(route)).toSorted(),
    figures(seconds: number): Record<string, string | number> {
      const sorted = milliseconds.toSorted((a, b) => a - b);
      const getPercentile = (share: number): number => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
      return {
        calls_per_second: Math.round(calls / seconds),
        endpoints_reached: `${ROUTES.size - this.missed().length} of ${ROUTES.size}`,
        endpoints_corrupted: [...ROUTES].filter((route) => corruptionCounts.has(route)).length,
        p50_ms: getPercentile(0.5),
        p95_ms: getPercentile(0.95),
        p99_ms: getPercentile(0.99),
        slowest_ms: Math.round(sorted.at(-1) ?? 0),
        statuses: [...statuses]
          .toSorted(([a], [b]) => a - b)
          .map(([status, count]) => `${status}: ${count}`)
          .join(', '),
        derailed: derailedCount,
      };
    },
  };
}
