/** Imports 10,000 clients: validation and applying the rows, then the rebuild of their positions, and the undo. */
import { pathToFileURL } from 'node:url';
import type { ClientImport } from '@portal/contract/client-imports.ts';
import { generatePortfolio } from '@portal/sandbox/portfolio/generate-portfolio.ts';
import { formatImportFile, makeImportFile } from '@portal/sandbox/portfolio/import-file.ts';
import { workOutDays } from '../apps/server/src/features/client-imports/work-out-days.ts';
import { runImport } from '../apps/server/src/features/client-imports/run-import.ts';
import { addPractice } from '../apps/server/src/testing/add-practice.ts';
import { openTestPortal } from '../apps/server/src/testing/open-test-portal.ts';
import { watchStatistics } from '../apps/server/src/start/watch-statistics.ts';
import { printBenchRows, type BenchRow } from './bench-row.ts';

const CLIENTS = 10_000;
/** Target for the whole import, in seconds. */
const LIMIT_S = 20;

export async function measureClientImport(engine: string): Promise<BenchRow[]> {
  const portal = await openTestPortal({ validateOutputs: false });
  // As in the server: without fresh statistics the planner assumes that the tables are still empty.
  const statistics = watchStatistics(portal.deps.database, portal.deps.logger);
  try {
    const today = portal.deps.clock.today();
    const file = formatImportFile(makeImportFile(generatePortfolio({ clients: CLIENTS, seed: 1, today })));
    const practice = await addPractice(portal);
    const of = { company_id: practice.companyId };
    const began = performance.now();
    const { body } = await practice.admin.upload('/open-tax/client-imports', { ...of, file_name: 'clients.csv' }, file);
    const judged = performance.now();
    const importId = (body as unknown as ClientImport).import_id;
    const key = { 'idempotency-key': crypto.randomUUID() };
    await practice.admin.post('/open-tax/import-clients/start', { ...of, import_id: importId }, key);
    await runImport(portal.deps, { companyId: practice.companyId, importId }, { signal: new AbortController().signal });
    const done = performance.now();
    await workOutDays(portal.deps, { companyId: practice.companyId, importId }, { signal: new AbortController().signal });
    const workedOut = performance.now();
    const info = (await practice.admin.get('/open-tax/import-clients/info', of)).body['import'] as ClientImport;
    if (info.applied.new !== CLIENTS) throw new Error(`${info.applied.new} clients were created: ${JSON.stringify(info)}`);
    const undoing = performance.now();
    await practice.admin.post('/open-tax/import-clients/undo', { ...of, import_id: importId });
    const undone = performance.now();
    const [dryRun, takingIn, undo] = [judged - began, done - judged, undone - undoing].map((ms) => (ms ?? 0) / 1000);
    const whole = (dryRun ?? 0) + (takingIn ?? 0);
    return [
      {
        what: `import of 10,000 clients on ${engine}: dry run ${dryRun?.toFixed(1)} s, taken in with their lists ${takingIn?.toFixed(1)} s`,
        measured: `${whole.toFixed(1)} s`,
        limit: `at most ${LIMIT_S} s`,
        ok: whole <= LIMIT_S,
      },
      {
        what: `the days of their taxes worked out afterwards on ${engine}, beside the work of people`,
        measured: `${((workedOut - done) / 1000).toFixed(1)} s`,
        limit: 'for comparison',
        ok: true,
      },
      {
        what: `undoing it on ${engine}`,
        measured: `${undo?.toFixed(1)} s`,
        limit: `at most ${LIMIT_S} s`,
        ok: (undo ?? 0) <= LIMIT_S,
      },
    ];
  } finally {
    await statistics.stop();
    await portal.close();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const rows = await measureClientImport(process.env['TEST_DATABASE_URL'] ? 'PostgreSQL' : 'the embedded database');
  if (process.send) process.send(rows);
  else printBenchRows(rows);
}
