/**
 * Measures the memory that a portal needs to read 100,000 documents and calculate the nine boxes, beyond what the process has in use before
 * (which includes the simulator and its documents). Xero allows 60 calls a minute, so it takes more than a minute.
 */
import { pathToFileURL } from 'node:url';
import { getReturn } from '../apps/server/src/testing/books-steps.ts';
import { openTestPortal } from '../apps/server/src/testing/open-test-portal.ts';
import { printBenchRows, type BenchRow } from './bench-row.ts';
import { collectGarbage, connectWithDocuments, readAll } from './connected-books.bench.ts';

const DOCUMENTS = 100_000;
const MAX_MEGABYTES = 400;
const SAMPLE_MS = 10;

export async function measureConnectedBooksMemory(engine: string): Promise<BenchRow[]> {
  const portal = await openTestPortal({ validateOutputs: false });
  try {
    const trader = await connectWithDocuments(portal, 'xero', DOCUMENTS);
    collectGarbage();
    const before = measureUsedBytes();
    let peak = before;
    const timer = setInterval(() => (peak = Math.max(peak, measureUsedBytes())), SAMPLE_MS);
    await readAll(portal, trader);
    clearInterval(timer);
    const { rows } = await getReturn(trader);
    if (rows !== DOCUMENTS) throw new Error(`the return has ${String(rows)} rows instead of ${DOCUMENTS}`);
    const megabytes = (peak - before) / 1_000_000;
    return [
      {
        title: `100,000 documents of Xero to the nine boxes on ${engine}: most memory in use, garbage included, above that before`,
        measured: `${megabytes.toFixed(0)} MB`,
        limit: `at most ${MAX_MEGABYTES} MB`,
        ok: megabytes <= MAX_MEGABYTES,
      },
    ];
  } finally {
    await portal.close();
  }
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
