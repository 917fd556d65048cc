/** Tests payouts over real HTTP: idempotency, delayed execution, webhooks and lost responses. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addMilliseconds, systemClock } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import { SANDBOX_TRUELAYER } from './sandbox-credentials.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describePayoutFailure } from '@portal/providers/truelayer/payout-failure.ts';
import { createTrueLayerClient } from '@portal/providers/truelayer/truelayer-client.ts';
import { waitFor } from '../testing/wait-for.ts';
import { BankUnderTest, order } from './testing/bank-under-test.ts';

let bank: BankUnderTest;
beforeEach(async () => {
  bank = await new BankUnderTest().open();
});
afterEach(() => bank.close());

describe('a payout', () => {
  it('is executed and reported by a signed webhook', async () => {
    const client = createTrueLayerClient(bank.settings());
    const { payoutId } = await client.createPayout(order);
    const payout = await waitFor(async () => {
      const foundPayout = await client.findPayout(payoutId);
      return foundPayout?.status === 'executed' && foundPayout;
    });
    expect(payout.executedAt).toBeDefined();
    await waitFor(() => bank.received.length > 0);
    expect(await bank.verifyAll(client)).toEqual([
      { type: 'payout_executed', eventId: expect.any(String), payoutId, executedAt: payout.executedAt },
    ]);
    expect(bank.received[0]?.path).toBe('/portal/webhooks/truelayer');
    expect(bank.simulator.controls.payingAccount().balance_pence).toBe(500_000_000 - order.amountPence);
  });

  it('passes through pending and authorized', async () => {
    await bank.closeSimulator();
    // Long enough for a busy machine to see each status.
    await bank.openSimulator(500);
    const client = createTrueLayerClient(bank.settings());
    const { payoutId } = await client.createPayout(order);
    const seenEventIds = new Set<string>();
    await waitFor(async () => {
      const { status } = (await client.findPayout(payoutId)) ?? {};
      seenEventIds.add(status ?? 'none');
      return status === 'executed';
    });
    expect([...seenEventIds]).toEqual(['pending', 'authorized', 'executed']);
  });

  it('is created once for repeated calls with the same key', async () => {
    const client = createTrueLayerClient(bank.settings());
    const responses = await Promise.all([client.createPayout(order), client.createPayout(order), client.createPayout(order)]);
    expect(new Set(responses.map(({ payoutId }) => payoutId)).size).toBe(1);
    expect(bank.simulator.controls.listPayouts()).toHaveLength(1);
    expect(bank.simulator.controls.payoutStatistics().equal_under_different_keys).toEqual([]);
  });

  it('whose key is reused with another amount has an unknown result, because the bank has seen the key before', async () => {
    const client = createTrueLayerClient(bank.settings());
    await client.createPayout(order);
    await expect(client.createPayout({ ...order, amountPence: pence(1) })).rejects.toMatchObject({
      failure: 'unknown',
      facts: { status: 422, code: 'idempotency-key-reuse', requestId: expect.stringMatching(/^[0-9a-f]{32}$/) },
    });
    expect(bank.simulator.controls.listPayouts()).toHaveLength(1);
  });

  it('is counted as a possible duplicate when an equal one has another key', async () => {
    const client = createTrueLayerClient(bank.settings());
    await client.createPayout(order);
    await client.createPayout({ ...order, idempotencyKey: 'another-key' });
    await client.createPayout({ ...order, idempotencyKey: 'a-third-key', reference: 'IVAT 26Q4' });
    expect(bank.simulator.controls.payoutStatistics().equal_under_different_keys).toMatchObject([
      { amount_pence: order.amountPence, reference: order.reference, not_failed: 2 },
    ]);
  });

  it('fails without a debit when the account lacks the money', async () => {
    const client = createTrueLayerClient(bank.settings());
    bank.simulator.controls.setPayingBalance(order.amountPence - 1);
    const { payoutId } = await client.createPayout(order);
    await waitFor(() => bank.received.length > 0);
    expect(await client.findPayout(payoutId)).toMatchObject({
      status: 'failed',
      failureReason: describePayoutFailure('insufficient_funds'),
    });
    expect(await bank.verifyAll(client)).toMatchObject([
      { type: 'payout_failed', payoutId, failureReason: describePayoutFailure('insufficient_funds'), wasReturned: false },
    ]);
    expect(bank.simulator.controls.payingAccount().balance_pence).toBe(order.amountPence - 1);
  });

  it('fails once when the control says so', async () => {
    const client = createTrueLayerClient(bank.settings());
    bank.simulator.controls.failNextPayout('scheme_error');
    const failedPayout = await client.createPayout(order);
    await waitFor(() => bank.received.length === 1);
    const repeatedPayout = await client.createPayout({ ...order, idempotencyKey: 'again' });
    await waitFor(() => bank.received.length === 2);
    expect(await client.findPayout(failedPayout.payoutId)).toMatchObject({
      status: 'failed',
      failureReason: describePayoutFailure('scheme_error'),
    });
    expect(await client.findPayout(repeatedPayout.payoutId)).toMatchObject({ status: 'executed' });
  });

  it('changes to failed and returns as a credit when the beneficiary’s bank returns it', async () => {
    const client = createTrueLayerClient(bank.settings());
    const { payoutId } = await client.createPayout(order);
    expect(bank.simulator.controls.returnPayout(payoutId, 'account closed')).toBe(false);
    await waitFor(() => bank.received.length === 1);
    expect(bank.simulator.controls.returnPayout(payoutId, 'account closed')).toBe(true);
    await waitFor(() => bank.received.length === 2);
    expect(await client.findPayout(payoutId)).toMatchObject({ status: 'failed', failureReason: describePayoutFailure('returned') });
    expect((await bank.verifyAll(client))[1]).toMatchObject({ type: 'payout_failed', payoutId, wasReturned: true });
    const range = { from: addMilliseconds(systemClock.now(), -60_000), to: addMilliseconds(systemClock.now(), 60_000) };
    const accountTransactions = await client.listCollectionAccountTransactions({
      accountId: SANDBOX_TRUELAYER.merchantAccountId,
      ...range,
    });
    const credit = accountTransactions.find(({ kind }) => kind === 'credit');
    expect(credit).toMatchObject({ amountPence: order.amountPence, returnsPayoutId: payoutId });
    expect(accountTransactions.find(({ kind }) => kind === 'payout')).toMatchObject({
      payoutId,
      returnedByTransactionId: credit?.transactionId,
    });
    expect(bank.simulator.controls.payingAccount().balance_pence).toBe(500_000_000);
  });

  it('is undefined for an unknown ID', async () => {
    expect(await createTrueLayerClient(bank.settings()).findPayout('00000000-0000-4000-8000-000000000000')).toBeUndefined();
  });
});

describe('the meaning of a call without a usable response', () => {
  it.each(['server_error', 'malformed_body', 'timeout_after_work'] as const)(
    '%s to a payout is unknown, and repeating it with the same key is safe',
    async (kind) => {
      const client = createTrueLayerClient(bank.settings());
      bank.faults.set({ operation: 'truelayer.create_payout', kind, times: 1 });
      await expect(client.createPayout(order)).rejects.toMatchObject({ failure: 'unknown', facts: { operation: 'create_payout' } });
      const { payoutId } = await client.createPayout(order);
      expect(bank.simulator.controls.listPayouts().map(({ id }) => id)).toEqual([payoutId]);
    },
  );

  it('a payout that exceeds the time limit is unknown', async () => {
    const client = createTrueLayerClient(bank.settings({ timeoutMs: 250 }));
    await client.findPayout('none');
    await bank.closeSimulator();
    await bank.openSimulator(10, { slowMs: 600, hangMs: 600 });
    bank.faults.set({ operation: 'truelayer.create_payout', kind: 'slow', times: 1 });
    await expect(client.createPayout(order)).rejects.toMatchObject({ failure: 'unknown' });
    await waitFor(() => bank.simulator.controls.listPayouts().length > 0);
  });

  it('status 429 is throttled, and nothing was done', async () => {
    bank.faults.set({ operation: 'truelayer.create_payout', kind: 'too_many', times: 1 });
    await expect(createTrueLayerClient(bank.settings()).createPayout(order)).rejects.toMatchObject({
      failure: 'throttled',
      facts: { status: 429 },
    });
    expect(bank.simulator.controls.listPayouts()).toEqual([]);
  });

  it('a failed read is unavailable', async () => {
    bank.faults.set({ operation: 'truelayer.get_payout', kind: 'server_error', times: 1 });
    await expect(createTrueLayerClient(bank.settings()).findPayout('x')).rejects.toMatchObject({ failure: 'unavailable' });
  });

  it('a failed token request is unavailable, not unknown', async () => {
    bank.faults.set({ operation: 'truelayer.token', kind: 'server_error', times: 1 });
    await expect(createTrueLayerClient(bank.settings()).createPayout(order)).rejects.toMatchObject({
      failure: 'unavailable',
      facts: { operation: 'token' },
    });
  });

  it('a refused connection is unavailable, not unknown', async () => {
    const closedServer = createServer();
    await new Promise<void>((resolve) => closedServer.listen(0, '127.0.0.1', resolve));
    const { port } = closedServer.address() as AddressInfo;
    await new Promise((resolve) => closedServer.close(resolve));
    const client = createTrueLayerClient(bank.settings({ apiUrl: `http://127.0.0.1:${port}` }));
    await expect(client.createPayout(order)).rejects.toMatchObject({ failure: 'unavailable', facts: { operation: 'create_payout' } });
  });

  it('wrong credentials are unauthorized', async () => {
    await expect(createTrueLayerClient(bank.settings({ clientSecret: 'wrong' })).createPayout(order)).rejects.toMatchObject({
      failure: 'unauthorized',
      facts: { code: 'invalid_client' },
    });
  });

  it('a revoked token is replaced within the call', async () => {
    const client = createTrueLayerClient(bank.settings());
    await client.createPayout(order);
    const tokens = bank.store.collection('truelayer.tokens');
    for (const { key } of tokens.list()) tokens.delete(key);
    await client.createPayout({ ...order, idempotencyKey: 'after' });
    expect(bank.simulator.controls.listPayouts()).toHaveLength(2);
  });

  it('a body that exceeds the published limits is rejected with its fields', async () => {
    const longReferenceOrder = { ...order, reference: 'nineteen characters' };
    await expect(createTrueLayerClient(bank.settings()).createPayout(longReferenceOrder)).rejects.toMatchObject({
      failure: 'refused',
      facts: { status: 400, code: 'invalid-parameters', detail: expect.stringContaining('beneficiary.reference') },
    });
  });
});

describe('a killed simulator', () => {
  it('executes accepted payouts after its restart and reports them', async () => {
    await bank.closeSimulator();
    await bank.openSimulator(60_000);
    const client = createTrueLayerClient(bank.settings());
    const { payoutId } = await client.createPayout(order);
    await bank.closeSimulator();
    await bank.openSimulator();
    await waitFor(() => bank.received.length > 0);
    expect(await client.findPayout(payoutId)).toMatchObject({ status: 'executed' });
    expect(await client.createPayout(order)).toEqual({ payoutId });
    expect(bank.simulator.controls.listPayouts()).toHaveLength(1);
  });

  it('delivers undelivered webhooks after its restart', async () => {
    bank.portalStatus = 503;
    const client = createTrueLayerClient(bank.settings());
    const { payoutId } = await client.createPayout(order);
    await waitFor(() => bank.received.length > 0);
    await bank.closeSimulator();
    bank.portalStatus = 200;
    bank.received = [];
    await bank.openSimulator();
    await waitFor(() => bank.received.length > 0);
    expect(await bank.verifyAll(client)).toMatchObject([{ type: 'payout_executed', payoutId }]);
  });
});
