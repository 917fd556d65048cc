/**
 * Processes a file once, in its own process started with --expose-gc, and prints two figures as JSON: `retainedBytes`, held
 * after the last row, and `peakBytes`, the largest memory use of the process.
 */
import { BoxesRun, parseFile } from './boxes-runs.ts';

export type MemoryFigures = { readonly retainedBytes: number; readonly peakBytes: number };

const [, , mode, path = ''] = process.argv;

function measureLiveBytes(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

async function measure(): Promise<number> {
  const before = measureLiveBytes();
  if (mode !== 'boxes') {
    await parseFile(path);
    return measureLiveBytes() - before;
  }
  const run = new BoxesRun();
  await run.read(path);
  const heapGrowth = measureLiveBytes() - before;
  run.total();
  return heapGrowth;
}

const retainedHeapBytes = await measure();
const figures: MemoryFigures = { retainedBytes: retainedHeapBytes, peakBytes: process.resourceUsage().maxRSS * 1024 };
process.stdout.write(JSON.stringify(figures));
