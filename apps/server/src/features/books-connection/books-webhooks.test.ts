/** Tests webhooks from Xero and QuickBooks: only signed ones start a read, and their content is ignored. */
import { createHmac } from 'node:crypto';
import { pence } from '@portal/domain/money.ts';
import { SANDBOX_INTUIT } from '@portal/sandbox/intuit/intuit-simulator.ts';
import { SANDBOX_XERO } from '@portal/sandbox/xero/xero-simulator.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectBooks, getReturn, seedOrganisation } from '../../testing/books-steps.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createConnectedTrader } from '../../testing/test-trader.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

const CASES = [
  ['xero', 'x-xero-signature', SANDBOX_XERO.webhookKey, (id: string) => ({ events: [{ tenantId: id }, { tenantId: id }] })],
  ['quickbooks', 'intuit-signature', SANDBOX_INTUIT.webhookKey, (id: string) => [{ type: 'qbo.bill.created.v1', intuitaccountid: id }]],
  ['quickbooks', 'intuit-signature', SANDBOX_INTUIT.webhookKey, (id: string) => ({ eventNotifications: [{ realmId: id }] })],
] as const;

it.each(CASES)('a change at %s is read soon after its signed webhook', async (provider, header, key, toBody) => {
  const trader = await createConnectedTrader(portal, `hook-${Math.random()}@tess.example`, null, { isVerified: false });
  const setup = seedOrganisation(portal, provider, trader);
  await connectBooks(portal, trader, provider, setup);
  const basis = { company_id: trader.companyId, basis: 'accrual' };
  if (provider === 'quickbooks') await trader.browser.post('/instant-vat/books/connection/basis', basis);
  await portal.runJobs();
  expect(await getReturn(trader)).toMatchObject({ boxes: { box4_pence: 400_000 } });
  const lateEntry = { date: trader.obligation.periodEnd, netPence: pence(100_000), vatPence: pence(20_000) };
  portal.identity.books[provider].putEntry(setup.organisationId, { id: '3', ...lateEntry });
  const payload = JSON.stringify(toBody(setup.organisationId));
  const send = async (signature: string): Promise<number> => {
    const url = `/portal/webhooks/books/${provider}`;
    const headers = { 'content-type': 'application/json', [header]: signature };
    return (await portal.app.inject({ method: 'POST', url, headers, payload })).statusCode;
  };
  expect(await send(createHmac('sha256', 'another key').update(payload).digest('base64'))).toBe(401);
  await portal.runJobs();
  expect(await getReturn(trader)).toMatchObject({ boxes: { box4_pence: 400_000 } });
  const signature = createHmac('sha256', key).update(payload).digest('base64');
  expect([await send(signature), await send(signature)]).toEqual([200, 200]);
  await portal.runJobs();
  expect(await getReturn(trader)).toMatchObject({ boxes: { box4_pence: 420_000 } });
});
