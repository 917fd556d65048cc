import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pence, sumPence, type Pence } from '../money.ts';
import { addDays, plainDate } from '../plain-date.ts';
import {
  postCredit,
  postDirectDebit,
  postLostMoney,
  postMatchedCredit,
  postPayout,
  postRecoveredMoney,
  postReversedMatch,
  postReturnedSurplus,
  postSurplusPayout,
  postReturnedAfterRepayment,
  postReturnedCredit,
  postReturnedPayout,
  postShortfall,
  postWriteOff,
  type LedgerAccount,
  type LedgerLine,
} from './ledger.ts';
import { buildStatement, describePosting, type StatementPosting } from './statement-of-account.ts';
import { buildTraderJournals } from './trader-journals.ts';

const START_DATE = plainDate('2026-01-01');
const LAST = addDays(START_DATE, 400);
const PERIOD = { start: plainDate('2026-07-01'), end: plainDate('2026-09-30') };

const amount = fc.integer({ min: 1, max: 100_000_000 }).map(pence);
/** Half of the net is deducted, and half of that was still unpaid. */
const createDeduction = (net: Pence) => ({ taken: pence(Math.floor(net / 2)), applied: pence(Math.floor(net / 4)) });
const postNettedPayout = (fee: Pence, net: Pence) => postPayout({ refund: pence(fee + net), fee, net, netting: createDeduction(net) });
const collect = (a: Pence, b: Pence) => ({ amount: pence(a + b), applied: a });
const kinds: readonly ((a: Pence, b: Pence) => readonly [string, LedgerLine[]])[] = [
  (fee, net) => ['payout:1', postPayout({ refund: pence(fee + net), fee, net })],
  (fee, net) => ['payout:3', postNettedPayout(fee, net)],
  (fee, net) => ['payout-returned:4', postReturnedPayout({ refund: pence(fee + net), fee, net, netting: createDeduction(net) })],
  (a, b) => ['direct-debit:1:1', postDirectDebit({ ...collect(a, b), from: 'trader', to: 'in_transit' })],
  (a, b) => ['direct-debit:1:2', postDirectDebit({ ...collect(a, b), from: 'in_transit', to: 'cash' })],
  (a, b) => ['direct-debit:1:3', postDirectDebit({ ...collect(a, b), from: 'cash', to: 'trader' })],
  (fee, net) => ['payout-returned:1', postReturnedPayout({ refund: pence(fee + net), fee, net })],
  (net) => ['payout-returned:2', postReturnedAfterRepayment(net)],
  (receivable, due) => ['allocation-reversed:1', postReversedMatch(pence(receivable + due), { receivable, due })],
  (surplus) => ['payout:2', postSurplusPayout(surplus)],
  (surplus) => ['payout-returned:3', postReturnedSurplus(surplus)],
  (missingAmount) => ['shortfall:1', postShortfall(missingAmount)],
  (receivedAmount) => ['credit:2', postCredit(receivedAmount)],
  (appliedAmount) => ['match:1', postMatchedCredit(appliedAmount, 'due_from_trader')],
  (appliedAmount) => ['match:2', postMatchedCredit(appliedAmount, 'refunds_receivable')],
  (receivedAmount) => ['credit-returned:1', postReturnedCredit(receivedAmount)],
  (missingAmount) => ['write-off:1', postWriteOff(missingAmount)],
  (paidAmount) => ['reversal:1', postWriteOff(paidAmount).map((line) => ({ ...line, amount: pence(-line.amount) }))],
];
const posting = fc
  .tuple(fc.constantFrom(...kinds), amount, amount, fc.integer({ min: 0, max: 400 }), fc.boolean())
  .map(([post, a, b, day, hasPeriod]): StatementPosting => {
    const [idempotencyKey, lines] = post(a, b);
    return { idempotencyKey, lines, on: addDays(START_DATE, day), ...(hasPeriod ? { period: PERIOD } : {}) };
  });
const ledger = fc.array(posting, { maxLength: 30 }).map((list) => list.toSorted((a, b) => (a.on < b.on ? -1 : a.on > b.on ? 1 : 0)));
const sumAccounts = (postings: readonly StatementPosting[], ...accounts: LedgerAccount[]) =>
  sumPence(postings.flatMap(({ lines }) => lines.filter(({ account }) => accounts.includes(account)).map((line) => line.amount)));
const TRADER = ['refunds_receivable', 'due_from_trader', 'owed_to_trader'] as const;

describe('a statement of account', () => {
  it('agrees with the ledger to the penny, for any postings and any period', () => {
    fc.assert(
      fc.property(ledger, fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 400 }), (postings, a, b) => {
        const [from, to] = [addDays(START_DATE, Math.min(a, b)), addDays(START_DATE, Math.max(a, b))];
        const statement = buildStatement(postings, { from, to });
        expect(statement.opening).toBe(
          sumAccounts(
            postings.filter(({ on }) => on < from),
            ...TRADER,
          ),
        );
        expect(statement.closing).toBe(
          sumAccounts(
            postings.filter(({ on }) => on <= to),
            ...TRADER,
          ),
        );
        expect(statement.opening + sumPence(statement.entries.map((entry) => entry.amount))).toBe(statement.closing);
        expect(statement.entries.at(-1)?.balance ?? statement.opening).toBe(statement.closing);
        const { awaitedFromHmrc, dueFromYou, heldForYou } = statement.position;
        expect(awaitedFromHmrc + dueFromYou - heldForYou).toBe(statement.closing);
      }),
    );
  });

  it('opens where the one before it closed', () => {
    fc.assert(
      fc.property(ledger, fc.integer({ min: 0, max: 399 }), (postings, day) => {
        const middle = addDays(START_DATE, day);
        const first = buildStatement(postings, { from: START_DATE, to: middle });
        const second = buildStatement(postings, { from: addDays(middle, 1), to: LAST });
        expect(second.opening).toBe(first.closing);
        expect([...first.entries, ...second.entries]).toEqual(buildStatement(postings, { from: START_DATE, to: LAST }).entries);
      }),
    );
  });

  it('uses the trader’s terms', () => {
    const describeLines = (idempotencyKey: string, lines: LedgerLine[], remitter?: string) =>
      describePosting({ idempotencyKey, on: START_DATE, lines, ...(remitter === undefined ? {} : { remitter }) }).map(
        ({ text, amount: change }) => [text, change],
      );
    expect(describeLines('payout:1', postPayout({ refund: pence(100_00), fee: pence(5_00), net: pence(95_00) }))).toEqual([
      ['Paid to you', 95_00],
      ['Our fee', 5_00],
    ]);
    const nettedPayout = {
      refund: pence(100_00),
      fee: pence(5_00),
      net: pence(95_00),
      netting: { taken: pence(30_00), applied: pence(30_00) },
    };
    expect(describeLines('payout:1', postPayout(nettedPayout))).toEqual([
      ['Paid to you', 65_00],
      ['Our fee', 5_00],
      ['£30.00 taken off this payment for what you owed us', 0],
    ]);
    const debit = { amount: pence(30_00), applied: pence(20_00) };
    expect(describeLines('direct-debit:1:1', postDirectDebit({ ...debit, from: 'trader', to: 'in_transit' }))).toEqual([
      ['Collected by Direct Debit', -30_00],
    ]);
    expect(describeLines('direct-debit:1:2', postDirectDebit({ ...debit, from: 'in_transit', to: 'cash' }))).toEqual([]);
    expect(describeLines('direct-debit:1:3', postDirectDebit({ ...debit, from: 'cash', to: 'trader' }))).toEqual([
      ['Direct Debit returned by your bank', 30_00],
    ]);
    expect(describeLines('credit:1', postCredit(pence(101_00)), 'HMRC VAT')).toEqual([['Repaid by HMRC', -101_00]]);
    expect(describeLines('credit:1', postCredit(pence(101_00)), 'Acme Ltd')).toEqual([['Received from Acme Ltd', -101_00]]);
    expect(describeLines('payout:2', postSurplusPayout(pence(1_00)))).toEqual([['Paid to you', 1_00]]);
    expect(describeLines('shortfall:1', postShortfall(pence(30_00)))).toEqual([['HMRC repaid less than claimed: you now owe £30.00', 0]]);
    expect(describeLines('credit:2', postCredit(pence(30_00)))).toEqual([['Received in your collection account', -30_00]]);
    expect(describeLines('match:1', postMatchedCredit(pence(30_00), 'due_from_trader'))).toEqual([
      ['£30.00 put towards your shortfall', 0],
    ]);
    expect(describeLines('write-off:1', postWriteOff(pence(30_00)))).toEqual([['Written off by us', -30_00]]);
    expect(describeLines('credit-returned:1', postReturnedCredit(pence(30_00)))).toEqual([['Returned to its sender', 30_00]]);
    expect(describeLines('payout-returned:2', postReturnedAfterRepayment(pence(95_00)))).toEqual([
      ['Payment to you returned by the bank', -95_00],
    ]);
  });
});

describe('a statement’s entry', () => {
  const describeLines = (idempotencyKey: string, lines: LedgerLine[], remitter?: string) =>
    describePosting({ idempotencyKey, on: START_DATE, lines, ...(remitter === undefined ? {} : { remitter }) }).map(
      ({ text, amount: change }) => [text, change],
    );

  it('shows the shortfall of HMRC’s own credit, but not that the credit repays the refund, which its own entry shows', () => {
    expect(describeLines('allocation:1', postMatchedCredit(pence(70_00), 'refunds_receivable'), 'HMRC VAT')).toEqual([]);
    expect(describeLines('shortfall:1', postShortfall(pence(30_00)), 'HMRC VAT')).toEqual([
      ['HMRC repaid less than claimed: you now owe £30.00', 0],
    ]);
  });

  it('names the payment that a difference belongs to, whether the bank paid more or less', () => {
    for (const change of [1_00, -1_00]) {
      expect(describeLines('payout-difference-executed:1', postSurplusPayout(pence(change)))).toEqual([['Paid to you', change]]);
      expect(describeLines('payout-difference-returned:1', postSurplusPayout(pence(change)))).toEqual([
        ['Payment to you returned by the bank', change],
      ]);
    }
    for (const key of ['unrecorded-payout-returned:1', 'collection-payout-returned:1']) {
      expect(describeLines(key, postReturnedSurplus(pence(1_00)))).toEqual([['Payment to you returned by the bank', -1_00]]);
    }
  });

  it('doesn’t mention money that was taken from the collection account, because the loss is ours', () => {
    expect(describeLines('collection-payout:1', postLostMoney(pence(1_00)))).toEqual([]);
    expect(describeLines('collection-payout-returned:1', postRecoveredMoney(pence(1_00)))).toEqual([]);
  });
});

describe('the trader’s journals', () => {
  it('balance, and leave the same balance on “advances” as the statement, for any postings', () => {
    fc.assert(
      fc.property(ledger, (postings) => {
        const journals = buildTraderJournals(postings, { from: START_DATE, to: LAST });
        for (const { lines } of journals) expect(sumPence(lines.map((line) => line.amount))).toBe(0);
        const lines = journals.flatMap((journal) => journal.lines);
        const sum = (account: string) => sumPence(lines.filter((line) => line.account === account).map((line) => line.amount));
        expect(0 - sum('advances')).toBe(buildStatement(postings, { from: START_DATE, to: LAST }).closing);
        // Our income is the trader's expense.
        expect(sum('fee')).toBe(0 - sumAccounts(postings, 'fee_income'));
        expect(new Set(journals.map(({ number }) => number)).size).toBe(journals.length);
      }),
    );
  });

  it('book a credit as VAT only once it is matched to the refund', () => {
    const listAmounts = (...lists: (readonly [string, LedgerLine[]])[]) =>
      buildTraderJournals(
        lists.map(([idempotencyKey, lines]) => ({ idempotencyKey, lines, on: START_DATE })),
        { from: START_DATE, to: LAST },
      ).map(({ lines }) => lines.map(({ account, amount: change }) => [account, change]));
    const receivedPosting = ['credit:2', postCredit(pence(30_00))] as const;
    const heldLines = [
      ['clearing', -30_00],
      ['advances', 30_00],
    ];
    const matchedPostings = [
      ['clearing', 30_00],
      ['vat', -30_00],
    ];
    expect(listAmounts(receivedPosting)).toEqual([heldLines]);
    expect(listAmounts(receivedPosting, ['match:1', postMatchedCredit(pence(30_00), 'refunds_receivable')])).toEqual([
      heldLines,
      matchedPostings,
    ]);
    // HMRC's name identifies its payment, so it counts as VAT immediately, and only once.
    const [credit, match] = [postCredit(pence(30_00)), postMatchedCredit(pence(30_00), 'refunds_receivable')];
    const fromHmrc = [credit, match].map((lines) => ({ idempotencyKey: 'credit:3', lines, on: START_DATE, remitter: 'HMRC VAT' }));
    expect(buildTraderJournals(fromHmrc, { from: START_DATE, to: LAST }).map(({ lines }) => lines.map(({ account }) => account))).toEqual([
      ['vat', 'advances'],
    ]);
    // A trader's own payment towards a shortfall isn't VAT.
    expect(listAmounts(receivedPosting, ['match:1', postMatchedCredit(pence(30_00), 'due_from_trader')])).toEqual([heldLines]);
  });

  it('take HMRC’s credit out of VAT again if it is returned to HMRC, and another sender’s out of clearing', () => {
    const listAccounts = (remitter: string) =>
      buildTraderJournals(
        [postCredit(pence(30_00)), postReturnedCredit(pence(30_00))].map((lines, index) => {
          return { idempotencyKey: `${['credit', 'credit-returned'][index]}:1`, lines, on: START_DATE, remitter };
        }),
        { from: START_DATE, to: LAST },
      ).map(({ lines }) => lines.map(({ account, amount: change }) => [account, change]));
    for (const [remitter, account] of [
      ['HMRC VAT', 'vat'],
      ['Acme Ltd', 'clearing'],
    ] as const) {
      const [received, returned] = [-30_00, 30_00].map((change) => [
        [account, change],
        ['advances', 0 - change],
      ]);
      expect(listAccounts(remitter)).toEqual([received, returned]);
    }
  });

  it('call only the purchase of a refund an early VAT refund', () => {
    const getNarration = (period?: typeof PERIOD) =>
      buildTraderJournals(
        [{ idempotencyKey: 'payout:1', lines: postSurplusPayout(pence(5_00)), on: START_DATE, ...(period && { period }) }],
        {
          from: START_DATE,
          to: LAST,
        },
      )[0]?.narration;
    expect(getNarration(PERIOD)).toBe('Early VAT refund received: 1 Jul to 30 Sep 2026');
    expect(getNarration()).toBe('Other payment received');
  });

  it('have the same numbers whichever period is chosen', () => {
    fc.assert(
      fc.property(ledger, fc.integer({ min: 0, max: 400 }), (postings, day) => {
        const from = addDays(START_DATE, day);
        const all = buildTraderJournals(postings, { from: START_DATE, to: LAST });
        expect(buildTraderJournals(postings, { from, to: LAST })).toEqual(all.filter(({ on }) => on >= from));
      }),
    );
  });
});
