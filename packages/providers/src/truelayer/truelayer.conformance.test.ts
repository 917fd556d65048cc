/** Client and double over real HTTP; signatures are checked by TrueLayer's own library on both sides. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { addMilliseconds, systemClock } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import { sign } from 'truelayer-signing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDoubleStore, type DoubleStore } from '../double/double-store.ts';
import { storedFaults, type Faults } from '../double/faults.ts';
import { hostDoubles, type DoublesHost } from '../double/host-doubles.ts';
import { ensureSandboxCredentials, readRegisteredKey, SANDBOX_TRUELAYER } from './sandbox-credentials.ts';
import { createTrueLayerClient, type TrueLayerSettings } from './truelayer-client.ts';
import type { PaymentEvent, PayoutOrder } from './truelayer-port.ts';
import { createTrueLayerDouble, type TrueLayerDouble } from './truelayer-sandbox.ts';

type Received = { headers: Record<string, string | string[] | undefined>; rawBody: string; path: string };

let dir: string;
let store: DoubleStore;
let faults: Faults;
let double: TrueLayerDouble;
let host: DoublesHost;
let portal: Server;
let received: Received[];
/** What the portal's webhook answers; tests change it. */
let portalStatus: number;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'truelayer-'));
  received = [];
  portalStatus = 200;
  portal = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, rawBody: Buffer.concat(chunks).toString(), path: request.url ?? '' });
      response.writeHead(portalStatus).end();
    });
  });
  await new Promise<void>((resolve) => portal.listen(0, '127.0.0.1', resolve));
  host = await hostDoubles([{ basePath: '/truelayer', double: { fetch: (request) => double.fetch(request) } }], 0, '127.0.0.1');
  openDouble();
});

afterEach(async () => {
  await double.stop();
  await host.close();
  portal.close();
  portal.closeAllConnections();
  store.close();
  rmSync(dir, { recursive: true });
});

/** The double's process starts: store from disk, then whatever is unfinished. */
function openDouble(stepMs = 10, faultDelays = { slowMs: 20, hangMs: 20 }): void {
  store = openDoubleStore(join(dir, 'doubles.sqlite'));
  faults = storedFaults(store, faultDelays);
  double = createTrueLayerDouble({
    store,
    clock: systemClock,
    faults,
    publicUrl: `${host.url}/truelayer`,
    webhookUrl: `http://127.0.0.1:${(portal.address() as AddressInfo).port}/portal/webhooks/truelayer`,
    readPublicKey: () => readRegisteredKey(dir),
    stepMs,
    courierDelays: { firstMs: 20, longestMs: 100, giveUpMs: 10_000 },
  });
  double.start();
}

async function closeDouble(): Promise<void> {
  await double.stop();
  store.close();
}

function settings(over: Partial<TrueLayerSettings> = {}): TrueLayerSettings {
  const { kid, privateKeyPem } = ensureSandboxCredentials(dir);
  return {
    authUrl: `${host.url}/truelayer`,
    apiUrl: `${host.url}/truelayer`,
    ...SANDBOX_TRUELAYER,
    signing: { kid, privateKeyPem },
    webhookJwksUrls: [`${host.url}/truelayer/.well-known/jwks`],
    fetch: globalThis.fetch,
    clock: systemClock,
    timeoutMs: 2_000,
    ...over,
  };
}

const order: PayoutOrder = {
  idempotencyKey: 'a4c1f1de-5f0f-4b6f-9d66-0f3c50f6d001',
  amountPence: pence(1_234_055),
  beneficiary: { name: 'Brightwell Exports Ltd', sortCode: '200000', accountNumber: '55779911' },
  reference: 'IVAT 26Q3',
};

async function until<Value>(find: () => Value | undefined | false | Promise<Value | undefined | false>): Promise<Value> {
  for (const end = Date.now() + 5_000; Date.now() < end; await pause(5)) {
    const found = await find();
    if (found) return found;
  }
  throw new Error('waited five seconds in vain');
}

function eventsOf(client = createTrueLayerClient(settings())): Promise<PaymentEvent[]> {
  return Promise.all(received.map((webhook) => client.verifyWebhook(webhook)));
}

/** A call past the client, as a careless or hostile caller would make it. */
async function rawPayout(body: string, headers: Record<string, string>): Promise<Response> {
  const form = {
    grant_type: 'client_credentials',
    client_id: SANDBOX_TRUELAYER.clientId,
    client_secret: SANDBOX_TRUELAYER.clientSecret,
    scope: 'payments',
  };
  const answer = await fetch(`${host.url}/truelayer/connect/token`, { method: 'POST', body: new URLSearchParams(form) });
  const { access_token } = (await answer.json()) as { access_token: string };
  return fetch(`${host.url}/truelayer/v3/payouts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json', ...headers },
    body,
  });
}

const rawBody = JSON.stringify({
  merchant_account_id: SANDBOX_TRUELAYER.merchantAccountId,
  amount_in_minor: 100,
  currency: 'GBP',
  beneficiary: {
    type: 'external_account',
    account_holder_name: 'A',
    account_identifier: { type: 'sort_code_account_number', sort_code: '200000', account_number: '55779911' },
    reference: 'R',
  },
});

function signed(body: string, key: string, signing = settings().signing): Record<string, string> {
  const signature = sign({ ...signing, path: '/truelayer/v3/payouts', headers: { 'Idempotency-Key': key }, body });
  return { 'idempotency-key': key, 'tl-signature': signature };
}

describe('a payout', () => {
  it('is executed and told by a signed webhook', async () => {
    const client = createTrueLayerClient(settings());
    const { payoutId } = await client.createPayout(order);
    const payout = await until(async () => {
      const found = await client.findPayout(payoutId);
      return found?.status === 'executed' && found;
    });
    expect(payout.executedAt).toBeDefined();
    await until(() => received.length > 0);
    expect(await eventsOf(client)).toEqual([
      { type: 'payout_executed', eventId: expect.any(String), payoutId, executedAt: payout.executedAt },
    ]);
    expect(received[0]?.path).toBe('/portal/webhooks/truelayer');
    expect(double.controls.payingAccount().balance_pence).toBe(500_000_000 - order.amountPence);
  });

  it('passes through pending and authorized', async () => {
    await closeDouble();
    openDouble(60);
    const client = createTrueLayerClient(settings());
    const { payoutId } = await client.createPayout(order);
    const seen = new Set<string>();
    await until(async () => {
      const { status } = (await client.findPayout(payoutId)) ?? {};
      seen.add(status ?? 'none');
      return status === 'executed';
    });
    expect([...seen]).toEqual(['pending', 'authorized', 'executed']);
  });

  it('is made once, however often the same key asks', async () => {
    const client = createTrueLayerClient(settings());
    const answers = await Promise.all([client.createPayout(order), client.createPayout(order), client.createPayout(order)]);
    expect(new Set(answers.map(({ payoutId }) => payoutId)).size).toBe(1);
    expect(double.controls.listPayouts()).toHaveLength(1);
    expect(double.controls.payoutStatistics().equal_under_different_keys).toEqual([]);
  });

  it('is refused where a key comes again with another amount', async () => {
    const client = createTrueLayerClient(settings());
    await client.createPayout(order);
    await expect(client.createPayout({ ...order, amountPence: pence(1) })).rejects.toMatchObject({
      failure: 'refused',
      facts: { status: 422, code: 'idempotency-key-reuse', requestId: expect.stringMatching(/^[0-9a-f]{32}$/) },
    });
    expect(double.controls.listPayouts()).toHaveLength(1);
  });

  it('is counted where an equal one comes under another key', async () => {
    const client = createTrueLayerClient(settings());
    await client.createPayout(order);
    await client.createPayout({ ...order, idempotencyKey: 'another-key' });
    await client.createPayout({ ...order, idempotencyKey: 'a-third-key', reference: 'IVAT 26Q4' });
    expect(double.controls.payoutStatistics().equal_under_different_keys).toMatchObject([
      { amount_pence: order.amountPence, reference: order.reference, not_failed: 2 },
    ]);
  });

  it('fails where the account does not hold the money, and takes none', async () => {
    const client = createTrueLayerClient(settings());
    double.controls.setPayingBalance(order.amountPence - 1);
    const { payoutId } = await client.createPayout(order);
    await until(() => received.length > 0);
    expect(await client.findPayout(payoutId)).toMatchObject({ status: 'failed', failureReason: 'insufficient_funds' });
    expect(await eventsOf(client)).toMatchObject([
      { type: 'payout_failed', payoutId, failureReason: 'insufficient_funds', returned: false },
    ]);
    expect(double.controls.payingAccount().balance_pence).toBe(order.amountPence - 1);
  });

  it('fails where the control says so, once', async () => {
    const client = createTrueLayerClient(settings());
    double.controls.failNextPayout('scheme_error');
    const failed = await client.createPayout(order);
    await until(() => received.length === 1);
    const paid = await client.createPayout({ ...order, idempotencyKey: 'again' });
    await until(() => received.length === 2);
    expect(await client.findPayout(failed.payoutId)).toMatchObject({ status: 'failed', failureReason: 'scheme_error' });
    expect(await client.findPayout(paid.payoutId)).toMatchObject({ status: 'executed' });
  });

  it('turns to failed and comes back as a credit where the beneficiary’s bank returns it', async () => {
    const client = createTrueLayerClient(settings());
    const { payoutId } = await client.createPayout(order);
    expect(double.controls.returnPayout(payoutId, 'account closed')).toBe(false);
    await until(() => received.length === 1);
    expect(double.controls.returnPayout(payoutId, 'account closed')).toBe(true);
    await until(() => received.length === 2);
    expect(await client.findPayout(payoutId)).toMatchObject({ status: 'failed', failureReason: 'returned' });
    expect((await eventsOf(client))[1]).toMatchObject({ type: 'payout_failed', payoutId, returned: true });
    const range = { from: addMilliseconds(systemClock.now(), -60_000), to: addMilliseconds(systemClock.now(), 60_000) };
    const moved = await client.listCollectionAccountTransactions({ accountId: SANDBOX_TRUELAYER.merchantAccountId, ...range });
    const credit = moved.find(({ kind }) => kind === 'credit');
    expect(credit).toMatchObject({ amountPence: order.amountPence, returnsPayoutId: payoutId });
    expect(moved.find(({ kind }) => kind === 'payout')).toMatchObject({ payoutId, returnedByTransactionId: credit?.transactionId });
    expect(double.controls.payingAccount().balance_pence).toBe(500_000_000);
  });

  it('is unknown to a reader who asks for another id', async () => {
    expect(await createTrueLayerClient(settings()).findPayout('00000000-0000-4000-8000-000000000000')).toBeUndefined();
  });
});

describe('what a call without a usable answer means', () => {
  it.each(['server_error', 'malformed_body', 'timeout_after_work'] as const)(
    '%s to a payout is unknown, and the same key is safe',
    async (kind) => {
      const client = createTrueLayerClient(settings());
      faults.set({ operation: 'truelayer.create_payout', kind, times: 1 });
      await expect(client.createPayout(order)).rejects.toMatchObject({ failure: 'unknown', facts: { operation: 'create_payout' } });
      const { payoutId } = await client.createPayout(order);
      expect(double.controls.listPayouts().map(({ id }) => id)).toEqual([payoutId]);
    },
  );

  it('a payout that takes longer than the limit is unknown', async () => {
    const client = createTrueLayerClient(settings({ timeoutMs: 250 }));
    await client.findPayout('none');
    await closeDouble();
    openDouble(10, { slowMs: 600, hangMs: 600 });
    faults.set({ operation: 'truelayer.create_payout', kind: 'slow', times: 1 });
    await expect(client.createPayout(order)).rejects.toMatchObject({ failure: 'unknown' });
    await until(() => double.controls.listPayouts().length > 0);
  });

  it('too many calls is throttled, and nothing was done', async () => {
    faults.set({ operation: 'truelayer.create_payout', kind: 'too_many', times: 1 });
    await expect(createTrueLayerClient(settings()).createPayout(order)).rejects.toMatchObject({
      failure: 'throttled',
      facts: { status: 429 },
    });
    expect(double.controls.listPayouts()).toEqual([]);
  });

  it('a failed read is unavailable', async () => {
    faults.set({ operation: 'truelayer.get_payout', kind: 'server_error', times: 1 });
    await expect(createTrueLayerClient(settings()).findPayout('x')).rejects.toMatchObject({ failure: 'unavailable' });
  });

  it('a failed token leaves a payout undone, not unknown', async () => {
    faults.set({ operation: 'truelayer.token', kind: 'server_error', times: 1 });
    await expect(createTrueLayerClient(settings()).createPayout(order)).rejects.toMatchObject({
      failure: 'unavailable',
      facts: { operation: 'token' },
    });
  });

  it('nobody listening leaves a payout undone, not unknown', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const client = createTrueLayerClient(settings({ apiUrl: `http://127.0.0.1:${port}` }));
    await expect(client.createPayout(order)).rejects.toMatchObject({ failure: 'unavailable', facts: { operation: 'create_payout' } });
  });

  it('wrong credentials are unauthorized', async () => {
    await expect(createTrueLayerClient(settings({ clientSecret: 'wrong' })).createPayout(order)).rejects.toMatchObject({
      failure: 'unauthorized',
      facts: { code: 'invalid_client' },
    });
  });

  it('a token that was withdrawn is fetched anew within the call', async () => {
    const client = createTrueLayerClient(settings());
    await client.createPayout(order);
    const tokens = store.collection('truelayer.tokens');
    for (const { key } of tokens.list()) tokens.delete(key);
    await client.createPayout({ ...order, idempotencyKey: 'after' });
    expect(double.controls.listPayouts()).toHaveLength(2);
  });

  it('a body that breaks the published limits is refused with its fields', async () => {
    const long = { ...order, reference: 'nineteen characters' };
    await expect(createTrueLayerClient(settings()).createPayout(long)).rejects.toMatchObject({
      failure: 'refused',
      facts: { status: 400, code: 'invalid-parameters', detail: expect.stringContaining('beneficiary.reference') },
    });
  });
});

describe('a signed request', () => {
  const unauthenticated = { status: 401, detail: 'Invalid request signature.', trace_id: expect.any(String) };

  it('is taken as it was signed', async () => {
    expect((await rawPayout(rawBody, signed(rawBody, 'k'))).status).toBe(202);
  });

  it('is refused without a signature', async () => {
    const answer = await rawPayout(rawBody, { 'idempotency-key': 'k' });
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(await answer.json()).toMatchObject(unauthenticated);
  });

  it('is refused under a key that is not registered', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-521' });
    const foreign = { kid: settings().signing.kid, privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
    expect(await (await rawPayout(rawBody, signed(rawBody, 'k', foreign))).json()).toMatchObject(unauthenticated);
  });

  it('is refused under an unknown key id', async () => {
    const misnamed = { ...settings().signing, kid: 'another' };
    expect(await (await rawPayout(rawBody, signed(rawBody, 'k', misnamed))).json()).toMatchObject(unauthenticated);
  });

  it('is refused where one byte of the body differs', async () => {
    expect(await (await rawPayout(`${rawBody} `, signed(rawBody, 'k'))).json()).toMatchObject(unauthenticated);
  });

  it('is refused where the idempotency key differs', async () => {
    expect(await (await rawPayout(rawBody, { ...signed(rawBody, 'k'), 'idempotency-key': 'l' })).json()).toMatchObject(unauthenticated);
  });

  it('is refused where the signature does not cover the idempotency key', async () => {
    const signature = sign({ ...settings().signing, path: '/truelayer/v3/payouts', body: rawBody });
    expect(await (await rawPayout(rawBody, { 'idempotency-key': 'k', 'tl-signature': signature })).json()).toMatchObject(unauthenticated);
  });

  it('is refused without an idempotency key', async () => {
    const { 'tl-signature': signature = '' } = signed(rawBody, 'k');
    expect(await (await rawPayout(rawBody, { 'tl-signature': signature })).json()).toMatchObject({
      status: 400,
      errors: { 'Idempotency-Key': [expect.any(String)] },
    });
  });

  it('is refused without a token', async () => {
    const answer = await fetch(`${host.url}/truelayer/v3/payouts`, { method: 'POST', headers: signed(rawBody, 'k'), body: rawBody });
    expect(await answer.json()).toMatchObject({ status: 401, title: 'Unauthenticated' });
  });
});

describe('a webhook', () => {
  async function oneWebhook(): Promise<Received> {
    await createTrueLayerClient(settings()).createPayout(order);
    await until(() => received.length > 0);
    return received[0] as Received;
  }
  const refused = { kind: 'unauthenticated', code: 'payments.webhook_not_signed' };

  it('is refused where its body was changed', async () => {
    const webhook = await oneWebhook();
    const forged = { ...webhook, rawBody: webhook.rawBody.replace('payout_executed', 'payout_failed') };
    await expect(createTrueLayerClient(settings()).verifyWebhook(forged)).rejects.toMatchObject(refused);
  });

  it('is refused where its time was changed', async () => {
    const webhook = await oneWebhook();
    const forged = { ...webhook, headers: { ...webhook.headers, 'x-tl-webhook-timestamp': '2030-01-01T00:00:00Z' } };
    await expect(createTrueLayerClient(settings()).verifyWebhook(forged)).rejects.toMatchObject(refused);
  });

  it('is refused on another path', async () => {
    await expect(createTrueLayerClient(settings()).verifyWebhook({ ...(await oneWebhook()), path: '/elsewhere' })).rejects.toMatchObject(
      refused,
    );
  });

  it('is refused unsigned, and with an unreadable signature', async () => {
    const { headers, ...webhook } = await oneWebhook();
    const { 'tl-signature': _signature, ...unsigned } = headers;
    const client = createTrueLayerClient(settings());
    await expect(client.verifyWebhook({ ...webhook, headers: unsigned })).rejects.toMatchObject(refused);
    await expect(client.verifyWebhook({ ...webhook, headers: { ...headers, 'tl-signature': 'x' } })).rejects.toMatchObject(refused);
  });

  it('is refused where its keys lie anywhere but on the allow-list, and those are never fetched', async () => {
    const webhook = await oneWebhook();
    const fetched: string[] = [];
    const client = createTrueLayerClient(
      settings({
        webhookJwksUrls: ['https://webhooks.truelayer.com/.well-known/jwks'],
        fetch: (url, init) => {
          fetched.push(String(url));
          return fetch(url, init);
        },
      }),
    );
    await expect(client.verifyWebhook(webhook)).rejects.toMatchObject(refused);
    expect(fetched).toEqual([]);
  });

  it('cannot be judged while the keys cannot be read, which is not a refusal', async () => {
    const webhook = await oneWebhook();
    const client = createTrueLayerClient(settings({ fetch: () => Promise.reject(new TypeError('no network')) }));
    await expect(client.verifyWebhook(webhook)).rejects.toMatchObject({ failure: 'unavailable' });
  });

  it('is verified from bytes as from text', async () => {
    const webhook = await oneWebhook();
    const event = await createTrueLayerClient(settings()).verifyWebhook({ ...webhook, rawBody: Buffer.from(webhook.rawBody) });
    expect(event.type).toBe('payout_executed');
  });

  it('is sent again, as the same event, until the portal acknowledges it', async () => {
    portalStatus = 500;
    await createTrueLayerClient(settings()).createPayout(order);
    await until(() => received.length >= 3);
    portalStatus = 200;
    await until(() => double.controls.listWebhooks()[0]?.delivered_at);
    const sent = received.length;
    await pause(150);
    expect(received).toHaveLength(sent);
    expect(new Set((await eventsOf()).map(({ eventId }) => eventId)).size).toBe(1);
  });

  it('survives new keys after a reset', async () => {
    const client = createTrueLayerClient(settings());
    await client.verifyWebhook(await oneWebhook());
    store.reset();
    received = [];
    const later = createTrueLayerClient(settings());
    await later.createPayout(order);
    await until(() => received.length > 0);
    expect((await later.verifyWebhook(received[0] as Received)).type).toBe('payout_executed');
  });
});

describe('a killed double', () => {
  it('executes after its restart what it had accepted, and tells it', async () => {
    await closeDouble();
    openDouble(60_000);
    const client = createTrueLayerClient(settings());
    const { payoutId } = await client.createPayout(order);
    await closeDouble();
    openDouble();
    await until(() => received.length > 0);
    expect(await client.findPayout(payoutId)).toMatchObject({ status: 'executed' });
    expect(await client.createPayout(order)).toEqual({ payoutId });
    expect(double.controls.listPayouts()).toHaveLength(1);
  });

  it('delivers after its restart what the portal had not taken', async () => {
    portalStatus = 503;
    const client = createTrueLayerClient(settings());
    const { payoutId } = await client.createPayout(order);
    await until(() => received.length > 0);
    await closeDouble();
    portalStatus = 200;
    received = [];
    openDouble();
    await until(() => received.length > 0);
    expect(await eventsOf(client)).toMatchObject([{ type: 'payout_executed', payoutId }]);
  });
});

describe('a collection account', () => {
  const range = { from: addMilliseconds(systemClock.now(), -60_000), to: addMilliseconds(systemClock.now(), 600_000) };

  it('is opened once a key, in the trader’s name, and takes HMRC’s repayment', async () => {
    const client = createTrueLayerClient(settings());
    const account = await client.openCollectionAccount({ idempotencyKey: 'open-1', accountHolderName: 'Brightwell Exports Ltd' });
    expect(await client.openCollectionAccount({ idempotencyKey: 'open-1', accountHolderName: 'Brightwell Exports Ltd' })).toEqual(account);
    const other = await client.openCollectionAccount({ idempotencyKey: 'open-2', accountHolderName: 'Harlow Joinery Ltd' });
    expect(other.accountNumber).not.toBe(account.accountNumber);
    double.controls.creditAccount({ ...account, amountPence: 1_246_520, remitterName: 'HMRC VAT', reference: '123456789' });
    await until(() => received.length > 0);
    const [event] = await eventsOf(client);
    expect(event).toMatchObject({
      type: 'credit_received',
      accountId: account.accountId,
      amountPence: 1_246_520,
      remitterName: 'HMRC VAT',
      reference: '123456789',
    });
    const moved = await client.listCollectionAccountTransactions({ accountId: account.accountId, ...range });
    expect(moved).toMatchObject([{ kind: 'credit', amountPence: 1_246_520, remitterName: 'HMRC VAT', reference: '123456789' }]);
    expect(event).toMatchObject({ transactionId: moved[0]?.transactionId });
    expect(double.controls.listCollectionAccounts()).toMatchObject([{ balance_pence: 1_246_520 }, { balance_pence: 0 }]);
  });

  it('does not get money that is sent to another bank', async () => {
    const credit = double.controls.creditAccount({
      sortCode: '200000',
      accountNumber: '55779911',
      amountPence: 5,
      remitterName: 'HMRC VAT',
      reference: 'x',
    });
    expect(credit.held_by).toBe('another_bank');
    expect(double.controls.listCredits()).toEqual([credit]);
    await pause(50);
    expect(received).toEqual([]);
  });

  it('is read page by page to the end', async () => {
    const client = createTrueLayerClient(settings());
    const account = await client.openCollectionAccount({ idempotencyKey: 'open-1', accountHolderName: 'Brightwell Exports Ltd' });
    for (let amount = 1; amount <= 120; amount += 1) {
      double.controls.creditAccount({ ...account, amountPence: amount, remitterName: 'Payer', reference: String(amount) });
    }
    const moved = await client.listCollectionAccountTransactions({ accountId: account.accountId, ...range });
    expect(moved.map(({ amountPence }) => amountPence).sort((a, b) => a - b)).toEqual(Array.from({ length: 120 }, (_, index) => index + 1));
  });

  it('shows only what moved in the asked time', async () => {
    const client = createTrueLayerClient(settings());
    const account = await client.openCollectionAccount({ idempotencyKey: 'open-1', accountHolderName: 'Brightwell Exports Ltd' });
    double.controls.creditAccount({ ...account, amountPence: 1, remitterName: 'Payer', reference: 'x' });
    const before = { from: addMilliseconds(range.from, -60_000), to: range.from };
    expect(await client.listCollectionAccountTransactions({ accountId: account.accountId, ...before })).toEqual([]);
  });
});

describe('the portal’s key pair', () => {
  it('is made once and kept', () => {
    expect(ensureSandboxCredentials(dir)).toEqual(ensureSandboxCredentials(dir));
  });

  it('is laid again where the double’s folder was emptied', () => {
    const sandboxDir = join(dir, 'sandbox');
    const { publicKeyPem } = ensureSandboxCredentials(dir, sandboxDir);
    rmSync(sandboxDir, { recursive: true });
    expect(readRegisteredKey(sandboxDir)).toBeUndefined();
    ensureSandboxCredentials(dir, sandboxDir);
    expect(readRegisteredKey(sandboxDir)).toBe(publicKeyPem);
  });
});
