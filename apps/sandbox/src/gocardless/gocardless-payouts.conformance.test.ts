/** Tests payouts with the real client. Uses a separate simulator, because a payout takes the whole balance. */
import { createClock, toInstant } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { createGoCardlessClient } from '@portal/providers/gocardless/gocardless-client.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openFaults } from '../simulator/faults.ts';
import { type SimulatorHost, startSimulatorHost } from '../simulator/host-simulators.ts';
import { openSimulatorStore } from '../simulator/simulator-store.ts';
import { findFreePort } from '../testing/find-free-port.ts';
import { createGoCardlessSimulator, type GoCardlessSimulator } from './gocardless-simulator.ts';
import { SANDBOX_GOCARDLESS } from './sandbox-credentials.ts';

let host: SimulatorHost;
let simulator: GoCardlessSimulator;
let client: ReturnType<typeof createGoCardlessClient>;
let now = Date.parse('2026-11-10T09:00:00Z');
const store = openSimulatorStore(':memory:');

beforeAll(async () => {
  const port = await findFreePort();
  const apiUrl = `http://127.0.0.1:${port}/gocardless`;
  const faults = openFaults(store, { slowMs: 20, hangMs: 20 });
  const clock = createClock(() => now);
  simulator = createGoCardlessSimulator({ store, clock, faults, publicUrl: apiUrl, webhookUrl: `http://127.0.0.1:${port}/nowhere` });
  host = await startSimulatorHost([{ basePath: '/gocardless', plugin: simulator.plugin }], port, '127.0.0.1');
  client = createGoCardlessClient({ apiUrl, accessToken: SANDBOX_GOCARDLESS.accessToken, fetch, webhookSecrets: ['secret'] });
});
afterAll(async () => {
  await simulator.stop();
  await host.close();
  store.close();
});

it('a payout holds what was collected less the fees, and a later one withholds a charge-back', async () => {
  // Both payments are paid out together, on the date given by the real calendar.
  await client.requestMandate({ idempotencyKey: crypto.randomUUID() });
  const mandateId = simulator.controls.authoriseNewest()?.id ?? '';
  const createOrder = (amount: number, chargeOn: string) =>
    client.createDirectDebit({
      idempotencyKey: crypto.randomUUID(),
      mandateId,
      amountPence: pence(amount),
      chargeOn: plainDate(chargeOn),
      description: 'VAT refund',
    });
  const first = await createOrder(120_100, '2026-11-20');
  const second = await createOrder(1_235, '2026-11-20');
  const listPayouts = () => client.listPayouts(toInstant(Date.parse('2026-11-20T00:00:00Z')));
  now = Date.parse('2026-11-24T09:00:00Z');
  const [pendingPayout] = await listPayouts();
  expect(pendingPayout).toMatchObject({ status: 'pending', net: 121_335 - 400 - 32, currency: 'GBP', arrivesOn: '2026-11-25' });
  now = Date.parse('2026-11-25T09:00:00Z');
  const [paidPayout] = await listPayouts();
  expect(paidPayout?.status).toBe('paid');
  expect(await client.listPayoutItems(paidPayout?.payoutId ?? '')).toEqual([
    { type: 'payment_paid_out', paymentId: first.paymentId, tenths: 1_201_000 },
    { type: 'gocardless_fee', paymentId: first.paymentId, tenths: -4_000 },
    { type: 'payment_paid_out', paymentId: second.paymentId, tenths: 12_350 },
    { type: 'gocardless_fee', paymentId: second.paymentId, tenths: -324 },
  ]);
  simulator.controls.movePayment(second.paymentId, 'charged_back', 'disputed by the payer');
  expect(await listPayouts()).toHaveLength(1);
  const third = await createOrder(120_100, '2026-12-01');
  now = Date.parse('2026-12-03T09:00:00Z');
  const [laterPayout] = await listPayouts();
  expect(laterPayout).toMatchObject({ net: 120_100 - 400 - 1_235 + 32 });
  const items = await client.listPayoutItems(laterPayout?.payoutId ?? '');
  expect(items).toContainEqual({ type: 'payment_charged_back', paymentId: second.paymentId, tenths: -12_350 });
  expect(items).toContainEqual({ type: 'payment_paid_out', paymentId: third.paymentId, tenths: 1_201_000 });
  now = Date.parse('2027-07-01T09:00:00Z');
  await expect(client.listPayoutItems(laterPayout?.payoutId ?? '')).rejects.toMatchObject({ facts: { status: 410 } });
});
