import { availableParallelism } from 'node:os';

/** More at once hasn't been tried. */
const MAX_CORES = 6;
/** A browser, a portal and its simulators need about 1 GB. */
const BYTES_PER_WORKER = 1.5 * 1024 ** 3;

/**
 * Returns how many test files run at once: one for each core, and `extra` because some wait for a process or a second to pass. On our build
 * server's two cores, more than that isn't faster (docs/decisions/0076-which-tests-run-on-both-engines.md).
 */
export function countWorkers(extra: number, cores = availableParallelism(), memoryBytes = process.availableMemory()): number {
  const workers = Math.min(cores, MAX_CORES) + extra;
  return Math.max(2, Math.min(workers, Math.floor(memoryBytes / BYTES_PER_WORKER)));
}
