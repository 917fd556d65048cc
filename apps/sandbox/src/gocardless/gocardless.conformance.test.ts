/** Tests the real client against the simulator, which rejects what GoCardless rejects. */
import { createClock } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { createGoCardlessClient, signGoCardlessWebhook } from '@portal/providers/gocardless/gocardless-client.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openFaults, type Faults } from '../simulator/faults.ts';
import { type SimulatorHost, startSimulatorHost } from '../simulator/host-simulators.ts';
import { openSimulatorStore } from '../simulator/simulator-store.ts';
import { findFreePort } from '../testing/find-free-port.ts';
import { createGoCardlessSimulator, type GoCardlessControls, type GoCardlessSimulator } from './gocardless-simulator.ts';
import { SANDBOX_GOCARDLESS } from './sandbox-credentials.ts';

let host: SimulatorHost;
let simulator: GoCardlessSimulator;
let controls: GoCardlessControls;
let faults: Faults;
let apiUrl: string;
let now = Date.parse('2026-11-10T09:00:00Z');
const store = openSimulatorStore(':memory:');

beforeAll(async () => {
  const port = await findFreePort();
  apiUrl = `http://127.0.0.1:${port}/gocardless`;
  faults = openFaults(store, { slowMs: 20, hangMs: 20 });
  const clock = createClock(() => now);
  simulator = createGoCardlessSimulator({ store, clock, faults, publicUrl: apiUrl, webhookUrl: `http://127.0.0.1:${port}/nowhere` });
  controls = simulator.controls;
  host = await startSimulatorHost([{ basePath: '/gocardless', plugin: simulator.plugin }], port, '127.0.0.1');
});
beforeEach(() => {
  now = Date.parse('2026-11-10T09:00:00Z');
});
afterAll(async () => {
  await simulator.stop();
  await host.close();
  store.close();
});

const createTestClient = (accessToken: string = SANDBOX_GOCARDLESS.accessToken) =>
  createGoCardlessClient({ apiUrl, accessToken, fetch, webhookSecrets: ['new-secret', SANDBOX_GOCARDLESS.webhookSecret] });

async function createMandate(): Promise<string> {
  await createTestClient().requestMandate({ idempotencyKey: crypto.randomUUID() });
  return controls.authoriseNewest()?.id ?? '';
}

const createOrder = (mandateId: string, changes: object = {}) => ({
  idempotencyKey: crypto.randomUUID(),
  mandateId,
  amountPence: pence(120_100),
  chargeOn: plainDate('2026-11-20'),
  description: 'VAT refund',
  ...changes,
});

describe('a mandate', () => {
  it('is requested once for a key, authorised on the provider’s page, and active three working days later', async () => {
    const idempotencyKey = crypto.randomUUID();
    const first = await createTestClient().requestMandate({ idempotencyKey });
    expect(await createTestClient().requestMandate({ idempotencyKey })).toEqual(first);
    const { authorisationUrl } = await createTestClient().startFlow({
      idempotencyKey: crypto.randomUUID(),
      billingRequestId: first.billingRequestId,
      returnUrl: 'http://localhost/back',
      exitUrl: 'http://localhost/exit',
      payer: { companyName: 'Tess & Sons Ltd', email: 'tess@trader.example' },
    });
    expect(await (await fetch(authorisationUrl)).text()).toContain('Tess &amp; Sons Ltd');
    const confirmedResponse = await fetch(authorisationUrl, {
      method: 'POST',
      body: new URLSearchParams({ choice: 'confirm', account_number: '11111134' }),
      redirect: 'manual',
    });
    expect(confirmedResponse.headers.get('location')).toBe('http://localhost/back');
    const { mandateId, status } = (await createTestClient().findMandateRequest(first.billingRequestId)) ?? {};
    expect(status).toBe('fulfilled');
    const { payerAccountId = '' } = (await createTestClient().findMandate(mandateId ?? '')) ?? {};
    expect(await createTestClient().findAccountEnding(payerAccountId)).toBe('34');
    const getStatusOn = async (day: string) => {
      now = Date.parse(`${day}T09:00:00Z`);
      return (await createTestClient().findMandate(mandateId ?? ''))?.status;
    };
    expect([await getStatusOn('2026-11-10'), await getStatusOn('2026-11-11'), await getStatusOn('2026-11-13')]).toEqual([
      'pending_submission',
      'submitted',
      'active',
    ]);
    expect(await createTestClient().findMandate('MDUNKNOWN')).toBeUndefined();
  });
});

describe('the end of a mandate', () => {
  it('can be requested at any time, even twice', async () => {
    const mandateId = await createMandate();
    await createTestClient().cancelMandate(mandateId);
    await createTestClient().cancelMandate(mandateId);
    expect(await createTestClient().findMandate(mandateId)).toMatchObject({ status: 'cancelled' });
  });

  it('can be requested before the payer has finished on the provider’s page', async () => {
    const { billingRequestId } = await createTestClient().requestMandate({ idempotencyKey: crypto.randomUUID() });
    await createTestClient().cancelMandateRequest(billingRequestId);
    await createTestClient().cancelMandateRequest(billingRequestId);
    expect(await createTestClient().findMandateRequest(billingRequestId)).toMatchObject({ status: 'cancelled' });
  });
});

describe('a payment', () => {
  it('is created once for a key, with a pre-notification, and follows the calendar to our account', async () => {
    const expectedOrder = createOrder(await createMandate());
    const createdDebit = await createTestClient().createDirectDebit(expectedOrder);
    expect(createdDebit).toMatchObject({ status: 'pending_submission', amountPence: 120_100, orderId: expectedOrder.idempotencyKey });
    expect(await createTestClient().createDirectDebit(expectedOrder)).toEqual(createdDebit);
    expect(await createTestClient().findDirectDebitByKey(expectedOrder)).toEqual(createdDebit);
    expect(await createTestClient().findDirectDebitByKey({ ...expectedOrder, idempotencyKey: 'another' })).toBeUndefined();
    expect(controls.listPayments().filter(({ mandate_id }) => mandate_id === expectedOrder.mandateId)).toMatchObject([
      { notified_at: '2026-11-10T09:00:00.000Z' },
    ]);
    const getStatusOn = async (day: string) => {
      now = Date.parse(`${day}T09:00:00Z`);
      return (await createTestClient().findDirectDebit(createdDebit.paymentId))?.status;
    };
    expect([await getStatusOn('2026-11-18'), await getStatusOn('2026-11-21'), await getStatusOn('2026-11-24')]).toEqual([
      'submitted',
      'confirmed',
      'paid_out',
    ]);
    controls.movePayment(createdDebit.paymentId, 'charged_back', 'disputed by the payer');
    expect((await createTestClient().findDirectDebit(createdDebit.paymentId))?.status).toBe('charged_back');
    expect(await createTestClient().findFailure(createdDebit.paymentId)).toBe('disputed by the payer');
  });

  it('can be cancelled until it is at the bank', async () => {
    const mandateId = await createMandate();
    const first = await createTestClient().createDirectDebit(createOrder(mandateId));
    expect((await createTestClient().cancelDirectDebit(first.paymentId)).status).toBe('cancelled');
    expect((await createTestClient().cancelDirectDebit(first.paymentId)).status).toBe('cancelled');
    const second = await createTestClient().createDirectDebit(createOrder(mandateId));
    controls.movePayment(second.paymentId, 'submitted');
    expect((await createTestClient().cancelDirectDebit(second.paymentId)).status).toBe('submitted');
  });

  it.each([
    ['a day that is too early', { chargeOn: plainDate('2026-11-11') }, 'charge_date'],
    ['an amount of nothing', { amountPence: pence(0) }, 'amount'],
  ])('is rejected for %s, with the field', async (_case, changes, field) => {
    const attempt = createTestClient().createDirectDebit(createOrder(await createMandate(), changes));
    await expect(attempt).rejects.toMatchObject({ failure: 'refused', facts: { status: 422, detail: expect.stringContaining(field) } });
  });

  it('is rejected on a mandate that has ended', async () => {
    const mandateId = await createMandate();
    controls.moveMandate(mandateId, 'cancelled');
    await expect(createTestClient().createDirectDebit(createOrder(mandateId))).rejects.toMatchObject({
      failure: 'refused',
      facts: { code: 'mandate_is_inactive' },
    });
  });

  it('whose response was lost is unknown, and found by its key', async () => {
    const expectedOrder = createOrder(await createMandate());
    faults.set({ operation: 'gocardless.create_payment', kind: 'timeout_after_work', times: 1 });
    await expect(createTestClient().createDirectDebit(expectedOrder)).rejects.toMatchObject({ failure: 'unknown' });
    expect(await createTestClient().findDirectDebitByKey(expectedOrder)).toMatchObject({ orderId: expectedOrder.idempotencyKey });
  });
});

describe('a call', () => {
  it('with a wrong token is unauthorized', async () => {
    await expect(createTestClient('wrong').requestMandate({ idempotencyKey: 'x' })).rejects.toMatchObject({ failure: 'unauthorized' });
    await expect(createTestClient('wrong').requestMandate({ idempotencyKey: 'x' })).rejects.toBeInstanceOf(ProviderError);
  });
});

describe('a webhook', () => {
  const event = { id: 'EV1', created_at: '2026-11-10T09:00:00Z', resource_type: 'payments', action: 'failed', links: { payment: 'PM1' } };
  const rawBody = Buffer.from(JSON.stringify({ events: [event], meta: { webhook_id: 'WB1' } }));

  it.each(['new-secret', SANDBOX_GOCARDLESS.webhookSecret])('is accepted when signed with a current secret (%s)', (secret) => {
    const events = createTestClient().verifyWebhook({ rawBody, signature: signGoCardlessWebhook(secret, rawBody) });
    expect(events).toMatchObject([{ eventId: 'EV1', type: 'payments.failed', paymentId: 'PM1' }]);
  });

  it.each([undefined, '', 'f'.repeat(64), signGoCardlessWebhook('another', rawBody)])('is rejected with the signature %j', (signature) => {
    expect(() => createTestClient().verifyWebhook({ rawBody, signature })).toThrow(/signature/);
  });
});
