/**
 * Tests rules stored by an older version of the portal, with the former name of `how_to_fix`. They can be read before and after the
 * migration, and are still written for such versions.
 */
import { randomUUID } from 'node:crypto';
import { readMigrations } from '@portal/db/read-migrations.ts';
import { advances, idempotencyKeys } from '@portal/db/schema/schema.ts';
import { eq, sql } from '@portal/db/sql.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createTraderWithFiledReturn, findAdvance } from '../../testing/take-advance.ts';
import type { Trader } from '../../testing/test-trader.ts';

const OLD_RULES = [
  { rule: 'no_vat_debt', outcome: 'fail', finding: 'You owe £10.', mend: 'Pay HMRC, “then” \\ refresh.' },
  { rule: 'not_insolvent', outcome: 'pass', finding: 'Not insolvent.', mend: '' },
];
const NEW_RULES = OLD_RULES.map(({ mend, ...rule }) => ({ ...rule, how_to_fix: mend }));

let portal: TestPortal;
let trader: Trader;
beforeAll(async () => {
  portal = await openTestPortal();
  trader = await createTraderWithFiledReturn(portal, 'owner@rules.example', 4_321);
});
afterAll(() => portal.close());

const store = (rules: object) =>
  portal.deps.database.db.execute(
    sql`update advances set rules = ${JSON.stringify(rules)}::jsonb where company_id = ${trader.companyId}::uuid`,
  );
async function readStoredRules(): Promise<unknown> {
  const { rows } = await portal.deps.database.db.execute<{ rules: unknown }>(
    sql`select rules from advances where company_id = ${trader.companyId}::uuid`,
  );
  return rows[0]?.rules;
}
async function migrate(): Promise<void> {
  const migration = readMigrations().find(({ name }) => name.endsWith('early-refunds-continued'));
  const updates = migration?.statements.filter((statement) => /^\s*(--.*\n)?\s*UPDATE/.test(statement)) ?? [];
  expect(updates).toHaveLength(2);
  for (const statement of updates) await portal.deps.database.executeSql(statement);
}

it('are returned unchanged before and after the migration, which can run twice and keeps what older portals read', async () => {
  await store(OLD_RULES);
  expect((await findAdvance(trader)).rules).toEqual(NEW_RULES);
  for (let times = 0; times < 2; times += 1) await migrate();
  expect((await findAdvance(trader)).rules).toEqual(NEW_RULES);
  expect(await readStoredRules()).toEqual(OLD_RULES.map((rule) => ({ ...rule, how_to_fix: rule.mend })));
});

it('are written under both names', async () => {
  const { db } = portal.deps.database;
  await db
    .update(advances)
    .set({ rules: NEW_RULES as never })
    .where(eq(advances.companyId, trader.companyId));
  expect(await readStoredRules()).toEqual(OLD_RULES.map((rule) => ({ ...rule, how_to_fix: rule.mend })));
});

it('are in the stored responses to repeated calls too', async () => {
  const { db } = portal.deps.database;
  const key = randomUUID();
  await db.insert(idempotencyKeys).values({
    companyId: trader.companyId,
    userId: randomUUID(),
    key,
    endpoint: 'POST /instant-vat/advance/accept',
    inputHash: 'h',
    createdAt: portal.deps.clock.now(),
    startedAt: portal.deps.clock.now(),
    holderId: 1,
    responseStatus: 200,
    responseBody: JSON.stringify({ rules: OLD_RULES }),
  });
  for (let times = 0; times < 2; times += 1) await migrate();
  const [row] = await db.select({ body: idempotencyKeys.responseBody }).from(idempotencyKeys).where(eq(idempotencyKeys.key, key));
  expect(JSON.parse(row?.body ?? '')).toEqual({ rules: OLD_RULES.map((rule) => ({ ...rule, how_to_fix: rule.mend })) });
});
