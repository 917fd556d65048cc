/** Imports 10,000 clients: validates and applies the rows, rebuilds their positions, and undoes the import. */
import { pathToFileURL } from 'node:url';
import type { ClientImport } from '@portal/contract/client-imports.ts';
import { generatePortfolio } from '@portal/sandbox/portfolio/generate-portfolio.ts';
import { formatImportFile, createImportFile } from '@portal/sandbox/portfolio/import-file.ts';
import { rebuildImportedPositions } from '../apps/server/src/features/client-imports/rebuild-imported-positions.ts';
import { runImport } from '../apps/server/src/features/client-imports/run-import.ts';
import { addPractice } from '../apps/server/src/testing/add-practice.ts';
import { openTestPortal } from '../apps/server/src/testing/open-test-portal.ts';
import { watchStatistics } from '../apps/server/src/start/watch-statistics.ts';
import { printBenchRows, type BenchRow } from './bench-row.ts';

const CLIENT_COUNT = 10_000;
/** Target for the whole import, in seconds. */
const MAX_SECONDS = 20;

export async function measureClientImport(engine: string): Promise<BenchRow[]> {
  const portal = await openTestPortal({ validateOutputs: false });
  // Update the statistics as the server does. Otherwise, the planner assumes that the tables are still empty.
  const statistics = watchStatistics(portal.deps.database, portal.deps.logger);
  try {
    const today = portal.deps.clock.today();
    const file = formatImportFile(createImportFile(generatePortfolio({ clients: CLIENT_COUNT, seed: 1, today })));
    const practice = await addPractice(portal);
    const tenant = { company_id: practice.companyId };
    const startedAt = performance.now();
    const { body } = await practice.admin.upload('/open-tax/client-imports', { ...tenant, file_name: 'clients.csv' }, file);
    const validatedAt = performance.now();
    const importId = (body as unknown as ClientImport).import_id;
    const key = { 'idempotency-key': crypto.randomUUID() };
    await practice.admin.post('/open-tax/import-clients/start', { ...tenant, import_id: importId }, key);
    await runImport(portal.deps, { companyId: practice.companyId, importId }, { signal: new AbortController().signal });
    const appliedAt = performance.now();
    await rebuildImportedPositions(portal.deps, { companyId: practice.companyId, importId }, { signal: new AbortController().signal });
    const rebuiltAt = performance.now();
    const importInfo = (await practice.admin.get('/open-tax/import-clients/info', tenant)).body['import'] as ClientImport;
    if (importInfo.applied.new !== CLIENT_COUNT)
      throw new Error(`${importInfo.applied.new} clients were created: ${JSON.stringify(importInfo)}`);
    const undoStartedAt = performance.now();
    await practice.admin.post('/open-tax/import-clients/undo', { ...tenant, import_id: importId });
    const undoneAt = performance.now();
    const [dryRun, applySeconds, undo] = [validatedAt - startedAt, appliedAt - validatedAt, undoneAt - undoStartedAt].map(
      (ms) => (ms ?? 0) / 1000,
    );
    const total = (dryRun ?? 0) + (applySeconds ?? 0);
    return [
      {
        title: `import of 10,000 clients on ${engine}: dry run ${dryRun?.toFixed(1)} s, rows applied with their lists ${applySeconds?.toFixed(1)} s`,
        measured: `${total.toFixed(1)} s`,
        limit: `at most ${MAX_SECONDS} s`,
        ok: total <= MAX_SECONDS,
      },
      {
        title: `their due dates calculated afterwards on ${engine}, while people work`,
        measured: `${((rebuiltAt - appliedAt) / 1000).toFixed(1)} s`,
        limit: 'for comparison',
        ok: true,
      },
      {
        title: `undoing the import on ${engine}`,
        measured: `${undo?.toFixed(1)} s`,
        limit: `at most ${MAX_SECONDS} s`,
        ok: (undo ?? 0) <= MAX_SECONDS,
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
