/** Compares "Today" of a practice with 10,000 clients with a bare server that runs the same statements. */
import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { refreshTotals } from '../apps/server/src/features/positions/refresh-totals.ts';
import { addPractice } from '../apps/server/src/testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../apps/server/src/testing/open-test-portal.ts';
import { compareWithBare, runInSequence } from './against-bare.ts';
import { printBenchRows, type BenchRow } from './bench-row.ts';

const CLIENT_COUNT = 10_000;

export async function measureToday(engine: string): Promise<BenchRow[]> {
  const portal = await openTestPortal({ validateOutputs: false });
  try {
    const practice = await addPractice(portal);
    await addClients(portal, practice.companyId, practice.memberId);
    const startedAt = performance.now();
    await refreshTotals(portal.deps, practice.companyId);
    const countedMs = performance.now() - startedAt;
    const url = `${portal.url}/portal/open-tax/today?company_id=${practice.companyId}`;
    return [
      ...(await compareWithBare(
        portal,
        `Today of ${CLIENT_COUNT} clients on ${engine}`,
        { url, cookie: practice.cookies.admin },
        runInSequence,
      )),
      {
        title: `counting all totals and Today of ${CLIENT_COUNT} clients on ${engine}, in a job`,
        measured: `${countedMs.toFixed(0)} ms`,
        limit: 'for comparison',
        ok: true,
      },
    ];
  } finally {
    await portal.close();
  }
}

/** Adds clients, of which a third are overdue, a third have an item this week, and half belong to a colleague. */
async function addClients(portal: TestPortal, companyId: string, memberId: string): Promise<void> {
  const ids = JSON.stringify(Array.from({ length: CLIENT_COUNT }, () => randomUUID()));
  const { executeSql } = portal.deps.database;
  const numberedIds = `jsonb_array_elements_text('${ids}'::jsonb) with ordinality as c(id, place)`;
  await executeSql(`insert into clients (company_id, id, name, kind, status, has_vat, has_paye, has_ct, has_sa, created_at, updated_at)
    select '${companyId}', id::uuid, 'Client ' || place, 'company', 'active', true, false, true, false, now(), now() from ${numberedIds}`);
  await executeSql(`insert into client_rows (company_id, client_id, name, sort_name, kind, status, has_vat, has_paye, has_ct, has_sa, next_due_on,
      owed_pence, overdue_pence, refund_pence, attention, members, search)
    select '${companyId}', id::uuid, 'Client ' || place, 'client ' || place, 'company', 'active', true, false, true, false, '9999-12-31',
      0, case when place % 3 = 0 then 10000 else 0 end, 0, 'none', '[]', 'client ' || place from ${numberedIds}`);
  await executeSql(`insert into due_items (company_id, client_id, tax, key, what, due_on, amount_pence, title, source, as_of)
    select '${companyId}', id::uuid, 'vat', 'payment', 'payment', '${portal.deps.clock.today()}'::date + (place % 20)::int, 12000, 'VAT', 'hmrc', now()
    from ${numberedIds}`);
  await executeSql(`insert into client_members (company_id, client_id, user_id, duty, assigned_at)
    select '${companyId}', id::uuid, '${memberId}', 'manager', now() from ${numberedIds} where place % 2 = 0`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const rows = await measureToday(process.env['TEST_DATABASE_URL'] ? 'PostgreSQL' : 'the embedded database');
  if (process.send) process.send(rows);
  else printBenchRows(rows);
}
