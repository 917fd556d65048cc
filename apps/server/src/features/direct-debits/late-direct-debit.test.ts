/** Tests a Direct Debit that is cancelled while it is being sent to GoCardless. */
import { directDebits } from '@portal/db/schema/schema.ts';
import { createGoCardlessClient } from '@portal/providers/gocardless/gocardless-client.ts';
import { SANDBOX_GOCARDLESS } from '@portal/sandbox/gocardless/sandbox-credentials.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createShortRepaidTrader, findCase, pollDirectDebitsAt, setUpDirectDebit } from '../../testing/short-refund.ts';
import type { Trader } from '../../testing/test-trader.ts';
import { submitDirectDebit } from './submit-direct-debit.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
beforeEach(() => {
  portal.faults.clear();
  portal.moveClock('2026-11-10T09:00:00Z');
});
afterAll(() => portal.close());

const pollAt = (at: string): Promise<void> => pollDirectDebitsAt(portal, at);

/** Connects to GoCardless so that the creation waits until the test releases it. */
function openSlowGoCardless() {
  const [stepReached, gateOpened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const send: typeof fetch = async (input, init) => {
    if (init?.method === 'POST') {
      stepReached.resolve();
      await gateOpened.promise;
    }
    return fetch(input, init);
  };
  const { accessToken, webhookSecret } = SANDBOX_GOCARDLESS;
  const apiUrl = `${portal.sandboxUrl}/gocardless`;
  const client = createGoCardlessClient({ apiUrl, accessToken, webhookSecrets: [webhookSecret], fetch: send, timeoutMs: 600_000 });
  return { client, reached: stepReached.promise, letThrough: gateOpened.resolve };
}

const findDebit = async ({ companyId }: Trader) =>
  (await portal.deps.database.db.select().from(directDebits).where(eq(directDebits.companyId, companyId)))[0];

it('counts as cancelled only once GoCardless can no longer have received it, and is cancelled there if it has', async () => {
  const trader = await createShortRepaidTrader(portal, 'late-debit@trader.example', 4_301, 3_301);
  await setUpDirectDebit(portal, trader);
  portal.faults.set({ operation: 'gocardless.create_payment', kind: 'server_error', times: 1_000 });
  await pollAt('2026-11-14T09:00:00Z');
  portal.faults.clear();
  const debit = await findDebit(trader);
  expect(debit).toMatchObject({ status: 'created', providerPaymentId: null });

  const goCardless = openSlowGoCardless();
  const sending = submitDirectDebit({ ...portal.deps, directDebits: goCardless.client }, trader.companyId, debit?.id ?? '');
  await goCardless.reached;
  const { shortfall_id } = await findCase(trader);
  await trader.browser.post('/instant-vat/shortfall/dispute', { company_id: trader.companyId, shortfall_id, reason: 'HMRC was wrong' });
  await portal.runJobs();
  expect(await findDebit(trader)).toMatchObject({ status: 'created' });

  goCardless.letThrough();
  await sending;
  expect(await findDebit(trader)).toMatchObject({ status: 'pending_submission' });
  await pollAt('2026-11-14T09:02:00Z');
  expect(await findDebit(trader)).toMatchObject({ status: 'cancelled' });
  const payments = portal.directDebits.listPayments().filter(({ metadata }) => metadata['order_id'] === debit?.id);
  expect(payments).toMatchObject([{ status: 'cancelled' }]);
});

it('counts as cancelled a minute later if GoCardless never got it', async () => {
  const trader = await createShortRepaidTrader(portal, 'never-sent@trader.example', 4_302, 3_302);
  await setUpDirectDebit(portal, trader);
  portal.faults.set({ operation: 'gocardless.create_payment', kind: 'server_error', times: 1_000 });
  await pollAt('2026-11-14T09:00:00Z');
  portal.faults.clear();
  const { shortfall_id } = await findCase(trader);
  await trader.browser.post('/instant-vat/shortfall/dispute', { company_id: trader.companyId, shortfall_id, reason: 'HMRC was wrong' });
  await pollAt('2026-11-14T09:02:00Z');
  expect(await findDebit(trader)).toMatchObject({ status: 'cancelled', providerPaymentId: null });
});
