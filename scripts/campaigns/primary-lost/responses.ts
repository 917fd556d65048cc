/** The portals' responses to all users, and when writes were acknowledged. */

export type Answers = {
  /** Receives every response. */
  readonly onAnswer: (response: Response) => void;
  /** Records that a portal has just acknowledged a write. */
  acknowledge(portalUrl: string): void;
  /** Returns the longest time in milliseconds without an acknowledged write since `startedAt`, at the worst affected portal. */
  readOutageMs(portalUrls: readonly string[], startedAt: number): number;
  /** Returns the number of responses by status since this was last called. */
  takeCounts(): ReadonlyMap<number, number>;
  /** One sentence for each kind of response that a user must never get. */
  readonly findings: ReadonlySet<string>;
};

export function observeResponses(): Answers {
  const acknowledgedAt = new Map<string, number[]>();
  const findings = new Set<string>();
  let counts = new Map<number, number>();
  return {
    findings,
    onAnswer: ({ status, headers, url }) => {
      counts.set(status, (counts.get(status) ?? 0) + 1);
      const { pathname } = new URL(url);
      if (status === 503 && headers.get('retry-after') === null) findings.add(`${pathname} answered 503 without Retry-After`);
      if (status >= 500 && status !== 503) findings.add(`${pathname} answered ${status}`);
    },
    acknowledge: (portalUrl) => {
      const times = acknowledgedAt.get(portalUrl) ?? [];
      times.push(performance.now());
      acknowledgedAt.set(portalUrl, times);
    },
    readOutageMs: (portalUrls, startedAt) => {
      const maxGaps = portalUrls.map((url) => {
        const times = [startedAt, ...(acknowledgedAt.get(url) ?? []).filter((time) => time >= startedAt), performance.now()];
        return Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? time)));
      });
      return Math.max(...maxGaps);
    },
    takeCounts: () => {
      const takenCounts = counts;
      counts = new Map();
      return takenCounts;
    },
  };
}
