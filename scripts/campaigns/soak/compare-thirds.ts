/** Compares the first third of a soak test's samples with the last: a value that grows is expected to keep growing. */
import type { PortalSample } from './measure-portal.ts';

/** One moment of the soak test, after its warm-up. */
export type SoakSample = {
  readonly portals: readonly PortalSample[];
  readonly connections: number;
  /** The p95 of the responses since the previous sample. */
  readonly p95Ms: number;
};

const MAX_MEMORY_GROWTH = 1.05;
const MAX_DELAY_GROWTH = 1.25;
/** Smaller differences are noise from the machine. */
const DELAY_NOISE_MS = 5;
const MAX_MORE_HANDLES = 3;
const MIN_SAMPLES = 6;

export type Comparison = { readonly findings: readonly string[]; readonly figures: Readonly<Record<string, string>> };

export function compareThirds(samples: readonly SoakSample[]): Comparison {
  if (samples.length < MIN_SAMPLES) return { findings: [`only ${samples.length} samples: run it for longer`], figures: {} };
  const findings: string[] = [];
  const figures: Record<string, string> = {};
  const third = Math.floor(samples.length / 3);
  const compare = (
    name: string,
    read: (sample: SoakSample) => number,
    isAcceptable: (first: number, last: number) => boolean,
    format: (value: number) => string,
  ): void => {
    const [first, last] = [median(samples.slice(0, third).map(read)), median(samples.slice(-third).map(read))];
    figures[name] = `${format(first)} to ${format(last)}`;
    if (!isAcceptable(first, last)) findings.push(`${name} grew from ${format(first)} to ${format(last)}`);
  };
  const isFlat = (first: number, last: number): boolean => last <= first * MAX_MEMORY_GROWTH;
  const isAlike = (first: number, last: number): boolean => last <= first * MAX_DELAY_GROWTH + DELAY_NOISE_MS;
  const hasNoMore = (first: number, last: number): boolean => last <= first + MAX_MORE_HANDLES;
  const portals = samples[0]?.portals.length ?? 0;
  for (let index = 0; index < portals; index += 1) {
    const createPortalReader = (read: (sample: PortalSample) => number) => (sample: SoakSample) =>
      read(sample.portals[index] as PortalSample);
    const name = `portal ${index + 1}`;
    compare(
      `${name}: memory`,
      createPortalReader(({ rssBytes }) => rssBytes),
      isFlat,
      toMegabytes,
    );
    compare(
      `${name}: heap after collection`,
      createPortalReader(({ heapBytes }) => heapBytes),
      isFlat,
      toMegabytes,
    );
    compare(
      `${name}: event loop delay, p99`,
      createPortalReader(({ eventLoopDelayMs }) => eventLoopDelayMs),
      isAlike,
      toMilliseconds,
    );
    compare(
      `${name}: open handles`,
      createPortalReader(({ handles }) => handles),
      hasNoMore,
      String,
    );
  }
  compare('database connections', ({ connections }) => connections, hasNoMore, String);
  compare('answers, p95', ({ p95Ms }) => p95Ms, isAlike, toMilliseconds);
  return { findings, figures };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

export function toPercentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0;
}

const toMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
const toMilliseconds = (ms: number): string => `${ms.toFixed(1)} ms`;
