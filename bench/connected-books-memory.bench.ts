/**
 * Measures reading 100,000 documents and calculating the nine boxes: the memory that a portal needs beyond what the process has in use before
 * (which includes the simulator and its documents), and the time against what Xero's limit of 60 calls a minute forces. 10,000 documents
 * take fewer calls than any provider allows in a minute.
 */
import { pathToFileURL } from 'node:url';
import { getReturn } from '../apps/server/src/testing/books-steps.ts';
import { openTestPortal } from '../apps/server/src/testing/open-test-portal.ts';
import { BOOKS_LIMITS } from '@portal/providers/connected-books/call-limiter.ts';
import { printBenchRows, type BenchRow } from './bench-row.ts';
import { collectGarbage, connectWithDocuments, countCalls, readAll } from './connected-books.bench.ts';

const DOCUMENTS = 100_000;
const MAX_MEGABYTES = 400;
const MAX_TIMES_FORCED = 1.2;
const SAMPLE_MS = 10;

export async function measureConnectedBooksMemory(engine: string): Promise<BenchRow[]> {
  const portal = await openTestPortal({ validateOutputs: false });
  try {
    const trader = await connectWithDocuments(portal, 'xero', DOCUMENTS);
    collectGarbage();
    const before = measureUsedBytes();
    let peak = before;
    const timer = setInterval(() => (peak = Math.max(peak, measureUsedBytes())), SAMPLE_MS);
    const callsBefore = countCalls();
    const startedAt = performance.now();
    await readAll(portal, trader);
    const seconds = (performance.now() - startedAt) / 1_000;
    const callCount = countCalls() - callsBefore;
    clearInterval(timer);
    const { rows } = await getReturn(trader);
    if (rows !== DOCUMENTS) throw new Error(`the return has ${String(rows)} rows instead of ${DOCUMENTS}`);
    const megabytes = (peak - before) / 1_000_000;
    const forcedSeconds = getForcedSeconds(callCount);
    return [
      {
        title: `100,000 documents of Xero to the nine boxes on ${engine}: most memory in use, garbage included, above that before`,
        measured: `${megabytes.toFixed(0)} MB`,
        limit: `at most ${MAX_MEGABYTES} MB`,
        ok: megabytes <= MAX_MEGABYTES,
      },
      {
        title: `100,000 documents of Xero to the nine boxes on ${engine}, against the time that its limit of calls forces`,
        measured: `${seconds.toFixed(1)} s against ${forcedSeconds} s for ${callCount} calls = ${(seconds / forcedSeconds).toFixed(2)} times`,
        limit: `at most ${MAX_TIMES_FORCED} times`,
        ok: seconds <= MAX_TIMES_FORCED * forcedSeconds,
      },
    ];
  } finally {
    await portal.close();
  }
}

/** The wait before the last call if all are sent as early as Xero allows. */
function getForcedSeconds(callCount: number): number {
  return Math.max(...BOOKS_LIMITS.xero.map(({ calls, seconds }) => Math.floor((callCount - 1) / calls) * seconds));
}

/** The heap and the buffers. A process's resident memory also includes pages that earlier work has left. */
function measureUsedBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const rows = await measureConnectedBooksMemory(process.env['TEST_DATABASE_URL'] ? 'PostgreSQL' : 'the embedded database');
  if (process.send) process.send(rows);
  else printBenchRows(rows);
}
