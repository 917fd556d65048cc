/** Calls every read while an operator views the portal as a trader and as a practice's admin: none of them changes any stored row. */
import { ALL_ENDPOINTS } from '@portal/contract/all-endpoints.ts';
import type { Endpoint } from '@portal/contract/endpoint.ts';
import { attempts, memberships, users } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addPortfolio, portfolio } from '../../testing/add-portfolio.ts';
import { addPractice, type TestPractice } from '../../testing/add-practice.ts';
import { makeInput } from '../../testing/make-input.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createShortRepaidTrader } from '../../testing/short-refund.ts';
import { createOperator, type Browser, type Trader } from '../../testing/test-trader.ts';

const READS = Object.values(ALL_ENDPOINTS)
  .flatMap((endpoints) => Object.values<Endpoint>(endpoints))
  .filter(({ method, access }) => method === 'GET' && !access.startsWith('operator'));

let portal: TestPortal;
let operator: Browser;
let trader: Trader;
let practice: TestPractice;
let clientId: string;
beforeAll(async () => {
  portal = await openTestPortal();
  operator = await createOperator(portal, 'support@operators.example', ['support']);
  trader = await createShortRepaidTrader(portal, 'viewed@trader.example', 900, 500);
  practice = await addPractice(portal);
  const [rows = []] = fc.sample(portfolio, { seed: 3, numRuns: 1 });
  [clientId = ''] = await addPortfolio(portal, practice, rows);
  await portal.runJobs();
});
afterAll(() => portal.close());

/** The operator's own session and limits change, and nothing else. */
const OWN_TABLES = ['sessions', 'attempts'];

/** Hashes the rows of every table. */
async function hashTables(): Promise<Record<string, string>> {
  const { executeSql } = portal.deps.database;
  const { rows } = await executeSql(`select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`);
  const hashes: Record<string, string> = {};
  for (const { name } of rows as { name: string }[]) {
    if (OWN_TABLES.includes(name)) continue;
    const result = await executeSql(`select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as hash from "${name}" t`);
    hashes[name] = (result.rows as { hash: string }[])[0]?.hash ?? '';
  }
  return hashes;
}

async function countRequests(userId = ''): Promise<number> {
  const rows = await portal.deps.database.db.select().from(attempts);
  return rows
    .filter(({ subject }) => subject.startsWith('request:') && subject.endsWith(`:${userId}`))
    .reduce((sum, { count }) => sum + count, 0);
}

async function readAll(companyId: string): Promise<{ answered: number; wrong: string[] }> {
  let answered = 0;
  const wrong: string[] = [];
  for (const endpoint of READS) {
    const fields = Object.keys(endpoint.input.shape);
    const input: Record<string, unknown> = { ...makeInput(endpoint), ...(fields.includes('company_id') ? { company_id: companyId } : {}) };
    for (const name of ['client_id', 'client_company_id']) if (fields.includes(name)) input[name] = clientId;
    if (fields.includes('obligation_id')) input['obligation_id'] = trader.obligation.id;
    const { status, body } = await operator.get(`${endpoint.path}?${new URLSearchParams(input as Record<string, string>).toString()}`);
    if (endpoint.hasEffect ? body['code'] !== 'view.read_only' : status >= 500) wrong.push(`${endpoint.path} ${status}`);
    if (status === 200) answered += 1;
  }
  return { answered, wrong };
}

it.each(['trader', 'practice'] as const)('no read changes a row while an operator views the portal as a %s’s user', async (kind) => {
  const { db } = portal.deps.database;
  const companyId = kind === 'trader' ? trader.companyId : practice.companyId;
  const [viewed] = await db
    .select({ id: users.id })
    .from(users)
    .innerJoin(memberships, eq(memberships.userId, users.id))
    .where(eq(memberships.companyId, companyId));
  const started = await operator.post('/operator/viewing/start', { user_id: viewed?.id, reason: 'Ticket 4713' });
  expect(started.status).toBe(200);
  const before = await hashTables();
  const requestsBefore = await countRequests(viewed?.id);
  const callsBefore = portal.hmrc.listCalls(1_000).length;
  const { answered, wrong } = await readAll(companyId);
  expect(wrong).toEqual([]);
  expect(answered).toBeGreaterThan(20);
  expect(await hashTables()).toEqual(before);
  expect(portal.hmrc.listCalls(1_000)).toHaveLength(callsBefore);
  // The user's own limits aren't used up.
  expect(await countRequests(viewed?.id)).toBe(requestsBefore);
  expect((await operator.post('/v2/viewing/end', {})).status).toBe(200);
});
