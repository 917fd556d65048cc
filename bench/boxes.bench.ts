/**
 * Calculates nine boxes from 100,000 and 1,000,000 rows, and compares this with bare code in the same run. `node bench/boxes.bench.ts` runs
 * it alone.
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchRow } from './bench-row.ts';
import { writeBooksFile } from './boxes-file.ts';
import type { MemoryFigures } from './boxes-memory.ts';
import { calculateBare, calculateWithTable, loadRows, parseFile, readBoxesFromFile } from './boxes-runs.ts';

const MAX_RATIO = 2;
const MAX_BYTES_PER_ROW = 64;
const LARGEST_SIZE = 1_000_000;
const SIZES = [100_000, LARGEST_SIZE] as const;
const FILE_ROUNDS = 7;
const ARITHMETIC_ROUNDS = 15;
const MEMORY_ROUNDS = 3;

/** Measures both comparisons and the memory use for each size. */
export async function measureBoxes(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'boxes-bench-'));
  try {
    const table: BenchRow[] = [];
    for (const size of SIZES) {
      const path = join(folder, `${size}.csv`);
      await writeBooksFile(path, size);
      table.push(await measureFile(path, size), await measureArithmetic(path, size), measureMemory(path, size));
    }
    return table;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function measureFile(path: string, size: number): Promise<BenchRow> {
  const times = await compare(
    () => readBoxesFromFile(path),
    () => parseFile(path),
    FILE_ROUNDS * getRoundsFactor(size),
  );
  return toTimeRow(`boxes (b): CSV file of ${formatCount(size)} rows to nine boxes, against the bare parser`, times);
}

async function measureArithmetic(path: string, size: number): Promise<BenchRow> {
  const rows = await loadRows(path);
  if (calculateWithTable(rows) !== calculateBare(rows))
    throw new Error('the bare loop and the table give different results, so the comparison is invalid');
  const times = await compare(
    () => calculateWithTable(rows),
    () => calculateBare(rows),
    ARITHMETIC_ROUNDS * getRoundsFactor(size),
  );
  return toTimeRow(`boxes (a): arithmetic on ${formatCount(size)} parsed rows, against a bare loop`, times);
}

/**
 * Measures the memory that the product retains per row while it streams the file. Also prints the peak above the bare parser's peak, which
 * has no limit because it includes a few MB of garbage-collector slack.
 */
function measureMemory(path: string, size: number): BenchRow {
  const boxes = runInProcess('boxes', path);
  const retainedPerRow = boxes.retainedBytes / size;
  const peakPerRow = (boxes.peakBytes - runInProcess('parser', path).peakBytes) / size;
  return {
    title: `boxes: memory beyond the stream, ${formatCount(size)} rows`,
    measured: `${retainedPerRow.toFixed(1)} bytes a row (process peak: ${peakPerRow.toFixed(1)})`,
    limit: `${MAX_BYTES_PER_ROW} bytes a row`,
    ok: retainedPerRow <= MAX_BYTES_PER_ROW,
  };
}

/** Takes the minimum of several processes, because noise only adds memory. */
function runInProcess(mode: 'boxes' | 'parser', path: string): MemoryFigures {
  const runs = Array.from({ length: MEMORY_ROUNDS }, () => {
    const script = join(import.meta.dirname, 'boxes-memory.ts');
    return JSON.parse(execFileSync(process.execPath, ['--expose-gc', script, mode, path], { encoding: 'utf8' })) as MemoryFigures;
  });
  return {
    retainedBytes: Math.min(...runs.map(({ retainedBytes }) => retainedBytes)),
    peakBytes: Math.min(...runs.map(({ peakBytes }) => peakBytes)),
  };
}

type Times = { readonly productMs: number; readonly bareMs: number };

/** Gives smaller files more rounds, up to half as many rows in total as the large file has. */
function getRoundsFactor(size: number): number {
  return Math.max(1, Math.round(LARGEST_SIZE / size / 2));
}

/** Returns medians of alternating rounds after a warm-up, so that noise affects both sides. */
async function compare(product: () => unknown, runBare: () => unknown, rounds: number): Promise<Times> {
  const productMs: number[] = [];
  const bareMs: number[] = [];
  const warmUpRounds = Math.ceil(rounds / 5);
  for (let round = 0; round < warmUpRounds + rounds; round += 1) {
    const productTime = await measureTime(product);
    const bareTime = await measureTime(runBare);
    if (round < warmUpRounds) continue;
    productMs.push(productTime);
    bareMs.push(bareTime);
  }
  return { productMs: median(productMs), bareMs: median(bareMs) };
}

async function measureTime(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

function toTimeRow(title: string, { productMs, bareMs }: Times): BenchRow {
  const ratio = productMs / bareMs;
  return {
    title,
    measured: `${productMs.toFixed(1)} ms (${ratio.toFixed(2)} times)`,
    limit: `${bareMs.toFixed(1)} ms bare, at most ${MAX_RATIO} times`,
    ok: ratio <= MAX_RATIO,
  };
}

function formatCount(rows: number): string {
  return rows.toLocaleString('en-GB');
}

if (import.meta.main) console.table(await measureBoxes());
