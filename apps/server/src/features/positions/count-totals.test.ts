/** Counting totals must stay fast for a practice that the planner’s statistics don’t know yet. */
import { ANALYZE_FUNCTION } from '@portal/db/access/roles.ts';
import type { Tx } from '@portal/db/database.ts';
import { clients, dueItems } from '@portal/db/schema/schema.ts';
import { pence } from '@portal/domain/money.ts';
import { addDays } from '@portal/domain/plain-date.ts';
import { sql } from '@portal/db/sql.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { upsertClientRows } from '../clients/upsert-client-rows.ts';
import { countInTransaction } from './count-totals.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal({ at: '2026-11-10T09:00:00.000Z' });
});
afterAll(() => portal.close());

const TABLES = ['clients', 'client_rows', 'due_items', 'tax_positions', 'client_members'];

/** Adds a practice whose clients each owe PAYE in the next six months, without telling the planner. */
async function addPracticeWithPayments(clientCount: number): Promise<string> {
  const { database, clock } = portal.deps;
  const { companyId } = await addPractice(portal);
  const now = clock.now();
  const ids = Array.from({ length: clientCount }, () => crypto.randomUUID());
  const taxes = { hasVat: false, hasPaye: true, hasCt: false, hasSa: false };
  const common = { companyId, kind: 'company' as const, status: 'active' as const, ...taxes, createdAt: now, updatedAt: now };
  await database.db.insert(clients).values(ids.map((id, index) => ({ ...common, id, name: `Client ${index}` })));
  await database.db.transaction((tx) => upsertClientRows(tx, companyId, ids));
  const facts = {
    companyId,
    tax: 'paye',
    what: 'payment',
    title: 'PAYE',
    source: 'statement',
    asOf: now,
    amountPence: pence(100),
  } as const;
  const payments = ids.flatMap((clientId) =>
    [1, 2, 3, 4, 5, 6].map((month) => ({ ...facts, clientId, key: `payment ${month}`, dueOn: addDays(clock.today(), 30 * month) })),
  );
  await database.db.insert(dueItems).values(payments);
  return companyId;
}

async function analyseTables(): Promise<void> {
  const { kind, executeSql } = portal.deps.database;
  for (const table of TABLES)
    await executeSql(kind === 'embedded' ? `analyze ${table}` : `select ${ANALYZE_FUNCTION}('${table}'::regclass)`);
}

/** Scans of each table by this connection, which PostgreSQL counts until it reports them after a transaction. */
async function countScans(tx: Tx): Promise<ReadonlyMap<string, number>> {
  const { rows } = await tx.execute<{ relname: string; scans: number }>(sql`
    select relname, (coalesce(seq_scan, 0) + coalesce(idx_scan, 0))::int as scans from pg_stat_xact_user_tables`);
  return new Map(rows.map(({ relname, scans }) => [relname, scans]));
}

it('totals are counted with a fixed number of scans, not one for each client, before the planner knows the practice', async () => {
  await addPracticeWithPayments(400);
  await analyseTables();
  const clientCount = 100;
  const companyId = await addPracticeWithPayments(clientCount);
  await portal.deps.database.db.transaction(async (tx) => {
    const scansBefore = await countScans(tx);
    const [counted] = await countInTransaction(tx, companyId, portal.deps.clock.today());
    const scans = await countScans(tx);
    expect(counted?.overall.clients).toBe(clientCount);
    expect(counted?.totals.find(({ tax }) => tax === 'paye')?.by_month[5]?.to_pay_pence).toBe(clientCount * 100);
    const scansByTable = TABLES.map((table) => [table, (scans.get(table) ?? 0) - (scansBefore.get(table) ?? 0)] as const);
    expect(scansByTable.filter(([, count]) => count < 1 || count > 20)).toEqual([]);
  });
});
