/** Tests collection accounts over real HTTP: opening, external credits and paging. */
import { setTimeout as pause } from 'node:timers/promises';
import { addMilliseconds, systemClock } from '@portal/domain/clock.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTrueLayerClient } from '@portal/providers/truelayer/truelayer-client.ts';
import { waitFor } from '../testing/wait-for.ts';
import { BankUnderTest } from './testing/bank-under-test.ts';

let bank: BankUnderTest;
beforeEach(async () => {
  bank = await new BankUnderTest().open();
});
afterEach(() => bank.close());

describe('a collection account', () => {
  const range = { from: addMilliseconds(systemClock.now(), -60_000), to: addMilliseconds(systemClock.now(), 600_000) };

  it('is opened once for each key, in the trader’s name, and receives HMRC’s repayment', async () => {
    const client = createTrueLayerClient(bank.settings());
    const account = await client.openCollectionAccount({ idempotencyKey: 'open-1', accountHolderName: 'Brightwell Exports Ltd' });
    expect(await client.openCollectionAccount({ idempotencyKey: 'open-1', accountHolderName: 'Brightwell Exports Ltd' })).toEqual(account);
    const otherAccount = await client.openCollectionAccount({ idempotencyKey: 'open-2', accountHolderName: 'Harlow Joinery Ltd' });
    expect(otherAccount.accountNumber).not.toBe(account.accountNumber);
    bank.simulator.controls.creditAccount({ ...account, amountPence: 1_246_520, remitterName: 'HMRC VAT', reference: '123456789' });
    await waitFor(() => bank.received.length > 0);
    const [event] = await bank.verifyAll(client);
    expect(event).toMatchObject({
      type: 'credit_received',
      accountId: account.accountId,
      amountPence: 1_246_520,
      remitterName: 'HMRC VAT',
      reference: '123456789',
    });
    const accountTransactions = await client.listCollectionAccountTransactions({ accountId: account.accountId, ...range });
    expect(accountTransactions).toMatchObject([
      { kind: 'credit', amountPence: 1_246_520, remitterName: 'HMRC VAT', reference: '123456789' },
    ]);
    expect(event).toMatchObject({ transactionId: accountTransactions[0]?.transactionId });
    expect(bank.simulator.controls.listCollectionAccounts()).toMatchObject([{ balance_pence: 1_246_520 }, { balance_pence: 0 }]);
  });

  it('does not receive money that is sent to another bank', async () => {
    const credit = bank.simulator.controls.creditAccount({
      sortCode: '200000',
      accountNumber: '55779911',
      amountPence: 5,
      remitterName: 'HMRC VAT',
      reference: 'x',
    });
    expect(credit.held_by).toBe('another_bank');
    expect(bank.simulator.controls.listCredits()).toEqual([credit]);
    await pause(50);
    expect(bank.received).toEqual([]);
  });

  it('is read page by page to the end', async () => {
    // The simulator delivers 120 webhooks concurrently, which takes seconds on a busy machine.
    const client = createTrueLayerClient({ ...bank.settings(), timeoutMs: 60_000 });
    const account = await client.openCollectionAccount({ idempotencyKey: 'open-1', accountHolderName: 'Brightwell Exports Ltd' });
    for (let amount = 1; amount <= 120; amount += 1) {
      bank.simulator.controls.creditAccount({ ...account, amountPence: amount, remitterName: 'Payer', reference: String(amount) });
    }
    const accountTransactions = await client.listCollectionAccountTransactions({ accountId: account.accountId, ...range });
    expect(accountTransactions.map(({ amountPence }) => amountPence).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 120 }, (_, index) => index + 1),
    );
  });

  it('is read to the end even after someone has sent thousands of pennies', async () => {
    const pageCount = 300;
    const readPage = (cursor: number) => ({
      items: Array.from({ length: 50 }, (_, index) => ({
        type: 'external_payment',
        id: `penny ${cursor * 50 + index}`,
        currency: 'GBP',
        amount_in_minor: 1,
        status: 'settled',
        settled_at: range.from,
        remitter: { account_holder_name: 'Payer' },
      })),
      pagination: cursor + 1 < pageCount ? { next_cursor: String(cursor + 1) } : {},
    });
    const settings = bank.settings();
    const client = createTrueLayerClient({
      ...settings,
      fetch: async (request, init) => {
        const { pathname, searchParams } = new URL(request instanceof Request ? request.url : request);
        return pathname.endsWith('/transactions')
          ? Response.json(readPage(Number(searchParams.get('cursor') ?? 0)))
          : settings.fetch(request, init);
      },
    });
    expect(await client.listCollectionAccountTransactions({ accountId: 'flooded', ...range })).toHaveLength(pageCount * 50);
  });

  it('returns only the movements of the requested period', async () => {
    const client = createTrueLayerClient(bank.settings());
    const account = await client.openCollectionAccount({ idempotencyKey: 'open-1', accountHolderName: 'Brightwell Exports Ltd' });
    bank.simulator.controls.creditAccount({ ...account, amountPence: 1, remitterName: 'Payer', reference: 'x' });
    const before = { from: addMilliseconds(range.from, -60_000), to: range.from };
    expect(await client.listCollectionAccountTransactions({ accountId: account.accountId, ...before })).toEqual([]);
  });
});
