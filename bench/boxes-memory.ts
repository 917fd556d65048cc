/**
 * Runs one way over a file, in a process of its own started with --expose-gc, and prints two figures as JSON: `kept`, the
 * bytes that its state holds when the last row is in, and `peak`, the most memory that the process ever had.
 */
import { BoxesRun, parseOnly } from './boxes-runs.ts';

export type MemoryFigures = { readonly kept: number; readonly peak: number };

const [, , way, path = ''] = process.argv;

function liveBytes(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

async function measure(): Promise<number> {
  const before = liveBytes();
  if (way !== 'boxes') {
    await parseOnly(path);
    return liveBytes() - before;
  }
  const run = new BoxesRun();
  await run.read(path);
  const kept = liveBytes() - before;
  run.total();
  return kept;
}

const kept = await measure();
const figures: MemoryFigures = { kept, peak: process.resourceUsage().maxRSS * 1024 };
process.stdout.write(JSON.stringify(figures));
