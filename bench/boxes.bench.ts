/** Nine boxes from 100,000 and 1,000,000 rows, each figure beside its limit measured in the same run. `node bench/boxes.bench.ts` runs it alone. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchRow } from './bench-row.ts';
import { writeBooksFile } from './boxes-file.ts';
import { addBare, addByTable, fileToBoxes, loadRows, parseOnly } from './boxes-runs.ts';

const SIZES = [100_000, 1_000_000] as const;
const MOST_TIMES = 2;
const MOST_BYTES_A_ROW = 64;
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
    FILE_ROUNDS,
  );
  return timeRow(`boxes (b): CSV file of ${count(size)} rows to nine boxes, against the bare parser`, times);
}

async function measureArithmetic(path: string, size: number): Promise<BenchRow> {
  const rows = await loadRows(path);
  if (addByTable(rows) !== addBare(rows)) throw new Error('the bare loop and the table disagree: the comparison means nothing');
  const times = await compare(
    () => addByTable(rows),
    () => addBare(rows),
    ARITHMETIC_ROUNDS,
  );
  return timeRow(`boxes (a): arithmetic on ${count(size)} parsed rows, against a bare loop`, times);
}

/** The peak of a whole process with the product's path, above that of one with the bare parser; the least of three each, since noise only adds. */
function measureMemory(path: string, size: number): BenchRow {
  const peak = (way: 'boxes' | 'parser') =>
    Math.min(
      ...Array.from({ length: MEMORY_ROUNDS }, () =>
        Number(execFileSync(process.execPath, [join(import.meta.dirname, 'boxes-memory.ts'), way, path])),
      ),
    );
  const bytesARow = (peak('boxes') - peak('parser')) / size;
  return {
    what: `boxes: memory beyond the stream, ${count(size)} rows`,
    measured: `${bytesARow.toFixed(1)} bytes a row`,
    limit: `${MOST_BYTES_A_ROW} bytes a row`,
    ok: bytesARow <= MOST_BYTES_A_ROW,
  };
}

type Times = { readonly productMs: number; readonly bareMs: number };

/** Medians of rounds taken in turn, after one of each to warm up, so that what slows the machine slows both. */
async function compare(product: () => unknown, bare: () => unknown, rounds: number): Promise<Times> {
  const productMs: number[] = [];
  const bareMs: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const slow = await time(product);
    const fast = await time(bare);
    if (round === 0) continue;
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
