import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestPortal, type TestPortal } from '../testing/open-test-portal.ts';
import { createTraderWithFiledReturn } from '../testing/take-advance.ts';
import type { Trader } from '../testing/test-trader.ts';

let portal: TestPortal;
let trader: Trader;
let otherTrader: Trader;
beforeAll(async () => {
  portal = await openTestPortal();
  trader = await createTraderWithFiledReturn(portal, 'busy@trader.example', 4_000);
  otherTrader = await createTraderWithFiledReturn(portal, 'other@trader.example', 4_000);
});
afterAll(() => portal.close());

const search = ({ browser, companyId, obligation }: Trader) =>
  browser.get('/instant-vat/vat-return/transactions', {
    company_id: companyId,
    obligation_id: obligation.id,
    box: '1',
    search: 'a',
  });

it('one search at a time runs for each user, and further ones are rejected without affecting other users', async () => {
  const pendingSearches = Array.from({ length: 40 }, () => search(trader));
  const [responses, otherResponse] = await Promise.all([Promise.all(pendingSearches), search(otherTrader)]);
  expect(otherResponse.status).toBe(200);
  const refusedResponses = responses.filter(({ status }) => status !== 200);
  expect(refusedResponses.length).toBeGreaterThan(0);
  expect(responses.length - refusedResponses.length).toBeGreaterThanOrEqual(11);
  expect(new Set(refusedResponses.map(({ status, body }) => `${status} ${String(body['code'])}`))).toEqual(
    new Set(['429 request.too_many_at_once']),
  );
  expect((await search(trader)).status).toBe(200);
});
