/** Nine boxes from 100,000 and 1,000,000 rows, each figure beside its limit measured in the same run. `node bench/boxes.bench.ts` runs it alone. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchRow } from './bench-row.ts';
import { writeBooksFile } from './boxes-file.ts';
import type { MemoryFigures } from './boxes-memory.ts';
import { addBare, addByTable, fileToBoxes, loadRows, parseOnly } from './boxes-runs.ts';

const MOST_TIMES = 2;
const MOST_BYTES_A_ROW = 64;
const LARGEST_SIZE = 1_000_000;
const SIZES = [100_000, LARGEST_SIZE] as const;
const FILE_ROUNDS = 7;
const ARITHMETIC_ROUNDS = 15;
const MEMORY_ROUNDS = 3;

/** Measures both comparisons and the memory, for each size. */
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
    () => fileToBoxes(path),
    () => parseOnly(path),
    FILE_ROUNDS * roundsFactor(size),
  );
  return timeRow(`boxes (b): CSV file of ${count(size)} rows to nine boxes, against the bare parser`, times);
}

async function measureArithmetic(path: string, size: number): Promise<BenchRow> {
  const rows = await loadRows(path);
  if (addByTable(rows) !== addBare(rows)) throw new Error('the bare loop and the table disagree: the comparison means nothing');
  const times = await compare(
    () => addByTable(rows),
    () => addBare(rows),
    ARITHMETIC_ROUNDS * roundsFactor(size),
  );
  return timeRow(`boxes (a): arithmetic on ${count(size)} parsed rows, against a bare loop`, times);
}

/**
 * What the product keeps for each row while the file streams through; beside it the peak of its whole process above that of
 * the bare parser's, which also holds the collector's slack (a few MB, whatever the number of rows) and so counts for no limit.
 */
function measureMemory(path: string, size: number): BenchRow {
  const boxes = runApart('boxes', path);
  const keptARow = boxes.kept / size;
  const peakARow = (boxes.peak - runApart('parser', path).peak) / size;
  return {
    what: `boxes: memory beyond the stream, ${count(size)} rows`,
    measured: `${keptARow.toFixed(1)} bytes a row (process peak: ${peakARow.toFixed(1)})`,
    limit: `${MOST_BYTES_A_ROW} bytes a row`,
    ok: keptARow <= MOST_BYTES_A_ROW,
  };
}

/** The least of three processes, since noise only adds. */
function runApart(way: 'boxes' | 'parser', path: string): MemoryFigures {
  const runs = Array.from({ length: MEMORY_ROUNDS }, () => {
    const script = join(import.meta.dirname, 'boxes-memory.ts');
    return JSON.parse(execFileSync(process.execPath, ['--expose-gc', script, way, path], { encoding: 'utf8' })) as MemoryFigures;
  });
  return { kept: Math.min(...runs.map(({ kept }) => kept)), peak: Math.min(...runs.map(({ peak }) => peak)) };
}

type Times = { readonly productMs: number; readonly bareMs: number };

/** A small file gets more rounds, for half of the large one's rows in all. */
function roundsFactor(size: number): number {
  return Math.max(1, Math.round(LARGEST_SIZE / size / 2));
}

/** Medians of rounds taken in turn, after the first of them to warm up, so that what slows the machine slows both. */
async function compare(product: () => unknown, bare: () => unknown, rounds: number): Promise<Times> {
  const productMs: number[] = [];
  const bareMs: number[] = [];
  const warmUp = Math.ceil(rounds / 5);
  for (let round = 0; round < warmUp + rounds; round += 1) {
    const slow = await time(product);
    const fast = await time(bare);
    if (round < warmUp) continue;
    productMs.push(slow);
    bareMs.push(fast);
  }
  return { productMs: median(productMs), bareMs: median(bareMs) };
}

async function time(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

function timeRow(what: string, { productMs, bareMs }: Times): BenchRow {
  const ratio = productMs / bareMs;
  return {
    what,
    measured: `${productMs.toFixed(1)} ms (${ratio.toFixed(2)} times)`,
    limit: `${bareMs.toFixed(1)} ms bare, at most ${MOST_TIMES} times`,
    ok: ratio <= MOST_TIMES,
  };
}

function count(rows: number): string {
  return rows.toLocaleString('en-GB');
}

if (import.meta.main) console.table(await measureBoxes());
