/**
 * Runs every read of a tenant a second time, without the conditions that limit its statements to the tenant: PostgreSQL's policies must
 * then produce the same response (docs/decisions/0044). Only on PostgreSQL.
 */
import { ALL_ENDPOINTS } from '@portal/contract/all-endpoints.ts';
import type { Endpoint } from '@portal/contract/endpoint.ts';
import { TABLES_WITHOUT_TENANT } from '@portal/db/access/tables-without-tenant.ts';
import { removeTenantConditions, type ConditionRemover } from '@portal/db/testing/remove-conditions.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPortfolio, portfolio } from '../testing/add-portfolio.ts';
import { addPractice, type TestPractice } from '../testing/add-practice.ts';
import { makeInput } from '../testing/make-input.ts';
import { openTestPortal, type TestPortal } from '../testing/open-test-portal.ts';
import { createShortRepaidTrader } from '../testing/short-refund.ts';
import type { ApiResponse, Browser, Trader } from '../testing/test-trader.ts';

const READS = Object.entries(ALL_ENDPOINTS).flatMap(([api, endpoints]) =>
  Object.entries<Endpoint>(endpoints)
    .filter(([, { method, access, hasEffect }]) => method === 'GET' && !hasEffect && /^(company|practice|client)\./.test(access))
    .map(([name, endpoint]) => ({ name: `${api}.${name}`, endpoint })),
);

let remover: ConditionRemover;
let portal: TestPortal;
let trader: Trader;
let practice: TestPractice;
let clientId: string;

beforeAll(async () => {
  remover = removeTenantConditions();
  portal = await openTestPortal();
  trader = await createShortRepaidTrader(portal, 'ours@rows.example', 900, 500);
  await createShortRepaidTrader(portal, 'theirs@rows.example', 800, 300);
  const [ownRows = [], otherRows = []] = fc.sample(portfolio, { seed: 3, numRuns: 2 });
  practice = await addPractice(portal);
  [clientId = ''] = await addPortfolio(portal, practice, ownRows);
  await addPortfolio(portal, await addPractice(portal), otherRows);
  await portal.runJobs();
});
afterAll(async () => {
  await portal.close();
  remover.uninstall();
});

type ResponseOutcome = Pick<ApiResponse, 'status' | 'body'>;

function read(endpoint: Endpoint): Promise<ApiResponse> {
  const isTraders = endpoint.access.startsWith('company.');
  const browser: Browser = isTraders ? trader.browser : practice.admin;
  const fields = Object.keys(endpoint.input.shape);
  const input: Record<string, unknown> = { ...makeInput(endpoint), company_id: isTraders ? trader.companyId : practice.companyId };
  for (const name of ['client_id', 'client_company_id']) if (fields.includes(name)) input[name] = clientId;
  if (fields.includes('obligation_id')) input['obligation_id'] = trader.obligation.id;
  return browser.get(`${endpoint.path}?${new URLSearchParams(input as Record<string, string>).toString()}`);
}

/** Reads once as usual and once without conditions. */
async function readTwice(endpoint: Endpoint): Promise<{ usual: ResponseOutcome; without: ResponseOutcome }> {
  const filteredResponse = await read(endpoint);
  remover.isOn = true;
  const unauthorisedResponse = await read(endpoint).finally(() => (remover.isOn = false));
  return { usual: toOutcome(filteredResponse), without: toOutcome(unauthorisedResponse) };
}

/** Leaves out what differs between two identical requests. */
function toOutcome({ status, body }: ApiResponse): ResponseOutcome {
  const { request_id: _, counted_at: _at, ...rest } = body;
  return { status, body: rest };
}

describe('a tenant’s read without its tenant’s conditions', () => {
  it.each(READS)('$name returns the same response', async ({ endpoint }) => {
    const { usual, without } = await readTwice(endpoint);
    expect(without).toEqual(usual);
  });

  // Proves that the tests above are able to fail.
  it('shows other tenants’ rows once the policies are off', async () => {
    const { executeSql } = portal.deps.database;
    const { rows } = await executeSql(
      `select relname as name from pg_class where relrowsecurity and relnamespace = 'public'::regnamespace`,
    );
    const tables = (rows as { name: string }[]).map(({ name }) => name);
    expect(tables.filter((name) => name in TABLES_WITHOUT_TENANT)).toEqual([]);
    const setPolicies = (state: string) => executeSql(tables.map((name) => `alter table ${name} ${state} row level security`).join(';'));
    remover.removed = 0;
    await setPolicies('disable');
    const differences: string[] = [];
    let answeredCount = 0;
    for (const { name, endpoint } of READS) {
      const { usual, without } = await readTwice(endpoint);
      if (usual.status === 200) answeredCount += 1;
      if (JSON.stringify(usual) !== JSON.stringify(without)) differences.push(name);
    }
    await setPolicies('enable');
    // The remaining reads request something that this company or client doesn't have, and get a 404.
    expect(answeredCount).toBeGreaterThan(60);
    expect(remover.removed).toBeGreaterThan(150);
    expect(differences).toEqual(
      expect.arrayContaining(['clients.list', 'clients.count', 'dashboard.get', 'documents.list', 'books.current']),
    );
  });
});
