/** Compares the InstantVAT dashboard endpoint with a bare server that runs the same statements. */
import { pathToFileURL } from 'node:url';
import { createConnectedTrader } from '../apps/server/src/testing/test-trader.ts';
import { openTestPortal, type TestPortal } from '../apps/server/src/testing/open-test-portal.ts';
import { compareWithBare, runInParallel } from './against-bare.ts';
import { printBenchRows, type BenchRow } from './bench-row.ts';

export async function measureDashboard(engine: string): Promise<BenchRow[]> {
  const portal = await openTestPortal({ validateOutputs: false });
  try {
    const trader = await createTraderWithAdvance(portal);
    const url = `${portal.url}/portal/instant-vat/dashboard?company_id=${trader.companyId}`;
    return await compareWithBare(portal, `dashboard call on ${engine}`, { url, cookie: trader.cookie }, runInParallel);
  } finally {
    await portal.close();
  }
}

async function createTraderWithAdvance(portal: TestPortal) {
  const trader = await createConnectedTrader(portal, 'bench@trader.example');
  const ids = { company_id: trader.companyId, obligation_id: trader.obligation.id };
  const { body } = await trader.browser.get('/instant-vat/vat-return', ids);
  await trader.browser.post(
    '/instant-vat/vat-return/file',
    { ...ids, figures_version: body['figures_version'], declaration_accepted: true },
    { 'idempotency-key': crypto.randomUUID() },
  );
  await portal.runJobs();
  return trader;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const rows = await measureDashboard(process.env['TEST_DATABASE_URL'] ? 'PostgreSQL' : 'the embedded database');
  if (process.send) process.send(rows);
  else printBenchRows(rows);
}
