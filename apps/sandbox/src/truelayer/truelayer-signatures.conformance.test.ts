/** Tests signatures in both directions over real HTTP, verified with TrueLayer’s library. */
import { generateKeyPairSync } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sign } from 'truelayer-signing';
import { ensureSigningKey, SANDBOX_TRUELAYER } from './sandbox-credentials.ts';
import type { ReceivedWebhook } from './testing/bank-under-test.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTrueLayerClient } from '@portal/providers/truelayer/truelayer-client.ts';
import { waitFor } from '../testing/wait-for.ts';
import { BankUnderTest, order } from './testing/bank-under-test.ts';

let bank: BankUnderTest;
beforeEach(async () => {
  bank = await new BankUnderTest().open();
});
afterEach(() => bank.close());

/** Makes a call that bypasses the client, as a careless or hostile caller would. */
async function postRawPayout(body: string, headers: Record<string, string>): Promise<Response> {
  const form = {
    grant_type: 'client_credentials',
    client_id: SANDBOX_TRUELAYER.clientId,
    client_secret: SANDBOX_TRUELAYER.clientSecret,
    scope: 'payments',
  };
  const response = await fetch(`${bank.host.url}/truelayer/connect/token`, { method: 'POST', body: new URLSearchParams(form) });
  const { access_token } = (await response.json()) as { access_token: string };
  return fetch(`${bank.host.url}/truelayer/v3/payouts`, {
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

function signHeaders(body: string, key: string, signing = bank.settings().signing): Record<string, string> {
  const signature = sign({ ...signing, path: '/truelayer/v3/payouts', headers: { 'Idempotency-Key': key }, body });
  return { 'idempotency-key': key, 'tl-signature': signature };
}

describe('a signed request', () => {
  const unauthenticatedProblem = { status: 401, detail: 'Invalid request signature.', trace_id: expect.any(String) };

  it('is accepted unchanged', async () => {
    expect((await postRawPayout(rawBody, signHeaders(rawBody, 'k'))).status).toBe(202);
  });

  it('is rejected without a signature', async () => {
    const response = await postRawPayout(rawBody, { 'idempotency-key': 'k' });
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toMatchObject(unauthenticatedProblem);
  });

  it('is rejected with an unregistered key', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-521' });
    const foreignKey = { kid: bank.settings().signing.kid, privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
    expect(await (await postRawPayout(rawBody, signHeaders(rawBody, 'k', foreignKey))).json()).toMatchObject(unauthenticatedProblem);
  });

  it('is rejected with an unknown key ID', async () => {
    const otherKeySigning = { ...bank.settings().signing, kid: 'another' };
    expect(await (await postRawPayout(rawBody, signHeaders(rawBody, 'k', otherKeySigning))).json()).toMatchObject(unauthenticatedProblem);
  });

  it('is rejected when one byte of the body differs', async () => {
    expect(await (await postRawPayout(`${rawBody} `, signHeaders(rawBody, 'k'))).json()).toMatchObject(unauthenticatedProblem);
  });

  it('is rejected when the idempotency key differs', async () => {
    expect(await (await postRawPayout(rawBody, { ...signHeaders(rawBody, 'k'), 'idempotency-key': 'l' })).json()).toMatchObject(
      unauthenticatedProblem,
    );
  });

  it('is rejected when the signature does not cover the idempotency key', async () => {
    const signature = sign({ ...bank.settings().signing, path: '/truelayer/v3/payouts', body: rawBody });
    expect(await (await postRawPayout(rawBody, { 'idempotency-key': 'k', 'tl-signature': signature })).json()).toMatchObject(
      unauthenticatedProblem,
    );
  });

  it('is rejected without an idempotency key', async () => {
    const { 'tl-signature': signature = '' } = signHeaders(rawBody, 'k');
    expect(await (await postRawPayout(rawBody, { 'tl-signature': signature })).json()).toMatchObject({
      status: 400,
      errors: { 'Idempotency-Key': [expect.any(String)] },
    });
  });

  it('is rejected without a token', async () => {
    const response = await fetch(`${bank.host.url}/truelayer/v3/payouts`, {
      method: 'POST',
      headers: signHeaders(rawBody, 'k'),
      body: rawBody,
    });
    expect(await response.json()).toMatchObject({ status: 401, title: 'Unauthenticated' });
  });
});

describe('a webhook', () => {
  async function receiveOneWebhook(): Promise<ReceivedWebhook> {
    await createTrueLayerClient(bank.settings()).createPayout(order);
    await waitFor(() => bank.received.length > 0);
    return bank.received[0] as ReceivedWebhook;
  }
  const rejection = { kind: 'unauthenticated', code: 'payments.webhook_not_signed' };

  it('is rejected when its body was changed', async () => {
    const webhook = await receiveOneWebhook();
    const forgedWebhook = { ...webhook, rawBody: webhook.rawBody.replace('payout_executed', 'payout_failed') };
    await expect(createTrueLayerClient(bank.settings()).verifyWebhook(forgedWebhook)).rejects.toMatchObject(rejection);
  });

  it('is rejected when its time was changed', async () => {
    const webhook = await receiveOneWebhook();
    const forgedWebhook = { ...webhook, headers: { ...webhook.headers, 'x-tl-webhook-timestamp': '2030-01-01T00:00:00Z' } };
    await expect(createTrueLayerClient(bank.settings()).verifyWebhook(forgedWebhook)).rejects.toMatchObject(rejection);
  });

  it('is rejected on another path', async () => {
    await expect(
      createTrueLayerClient(bank.settings()).verifyWebhook({ ...(await receiveOneWebhook()), path: '/elsewhere' }),
    ).rejects.toMatchObject(rejection);
  });

  it('is rejected without a signature and with an unreadable one', async () => {
    const { headers, ...webhook } = await receiveOneWebhook();
    const { 'tl-signature': _signature, ...unsignedHeaders } = headers;
    const client = createTrueLayerClient(bank.settings());
    await expect(client.verifyWebhook({ ...webhook, headers: unsignedHeaders })).rejects.toMatchObject(rejection);
    await expect(client.verifyWebhook({ ...webhook, headers: { ...headers, 'tl-signature': 'x' } })).rejects.toMatchObject(rejection);
  });

  it('is rejected when its keys are not on the allow-list, without fetching them', async () => {
    const webhook = await receiveOneWebhook();
    const fetchedUrls: string[] = [];
    const client = createTrueLayerClient(
      bank.settings({
        webhookJwksUrls: ['https://webhooks.truelayer.com/.well-known/jwks'],
        fetch: (url, init) => {
          fetchedUrls.push(new Request(url).url);
          return fetch(url, init);
        },
      }),
    );
    await expect(client.verifyWebhook(webhook)).rejects.toMatchObject(rejection);
    expect(fetchedUrls).toEqual([]);
  });

  it('fails as unavailable, not as a rejection, while the keys cannot be read', async () => {
    const webhook = await receiveOneWebhook();
    const client = createTrueLayerClient(bank.settings({ fetch: () => Promise.reject(new TypeError('no network')) }));
    await expect(client.verifyWebhook(webhook)).rejects.toMatchObject({ failure: 'unavailable' });
  });

  it('reads the keys once for many that arrive at once', async () => {
    const webhook = await receiveOneWebhook();
    let readCounts = 0;
    const client = createTrueLayerClient(
      bank.settings({
        fetch: (url, init) => {
          readCounts += 1;
          return fetch(url, init);
        },
      }),
    );
    await Promise.all(Array.from({ length: 20 }, () => client.verifyWebhook(webhook)));
    expect(readCounts).toBe(1);
  });

  it('can be verified from bytes and from text', async () => {
    const webhook = await receiveOneWebhook();
    const event = await createTrueLayerClient(bank.settings()).verifyWebhook({ ...webhook, rawBody: Buffer.from(webhook.rawBody) });
    expect(event.type).toBe('payout_executed');
  });

  it('is sent again as the same event until the portal acknowledges it', async () => {
    bank.portalStatus = 500;
    await createTrueLayerClient(bank.settings()).createPayout(order);
    await waitFor(() => bank.received.length >= 3);
    bank.portalStatus = 200;
    await waitFor(() => bank.simulator.controls.listWebhooks()[0]?.delivered_at);
    const webhookCount = bank.received.length;
    await pause(150);
    expect(bank.received).toHaveLength(webhookCount);
    expect(new Set((await bank.verifyAll()).map(({ eventId }) => eventId)).size).toBe(1);
  });

  it('is verified with new keys after a reset', async () => {
    const client = createTrueLayerClient(bank.settings());
    await client.verifyWebhook(await receiveOneWebhook());
    bank.store.reset();
    bank.received = [];
    const laterClient = createTrueLayerClient(bank.settings());
    await laterClient.createPayout(order);
    await waitFor(() => bank.received.length > 0);
    expect((await laterClient.verifyWebhook(bank.received[0] as ReceivedWebhook)).type).toBe('payout_executed');
  });
});

describe('the portal’s key pair', () => {
  it('is created once and kept', () => {
    expect(ensureSigningKey(bank.dir)).toEqual(ensureSigningKey(bank.dir));
  });
});
