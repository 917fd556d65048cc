/** What the bank double remembers, and the only functions that move its money. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '@portal/domain/clock.ts';
import type { Collection, DoubleStore } from '../double/double-store.ts';
import { SANDBOX_TRUELAYER } from './sandbox-credentials.ts';
import type { CreditOrder, SandboxAccount, SandboxCredit, SandboxPayout } from './truelayer-controls.ts';
import type { CreatePayoutWire, KnownEventWire } from './truelayer-wire.ts';

export type PayoutRecord = SandboxPayout & {
  readonly account_id: string;
  readonly metadata?: Record<string, string>;
  /** The credit that brought it back. */
  readonly returned_by?: string;
};

/** `available_pence` goes down when a payout is authorized, `balance_pence` when it is executed. */
export type AccountRecord = SandboxAccount & { readonly available_pence: number };

/** `account_id` is missing where the money went to another bank. */
export type CreditRecord = SandboxCredit & { readonly account_id?: string; readonly return_for?: string };

export type Bank = {
  readonly payouts: Collection<PayoutRecord>;
  readonly accounts: Collection<AccountRecord>;
  readonly credits: Collection<CreditRecord>;
  /** Payouts that are neither executed nor failed, to be taken up again after a restart. */
  readonly unfinished: Collection<true>;
  payingAccount(): AccountRecord;
  openCollectionAccount(accountHolderName: string): AccountRecord;
  createPayout(idempotencyKey: string, order: CreatePayoutWire): PayoutRecord;
  /** One step: pending -> authorized -> executed, or failed. True while another step is to come. */
  advancePayout(payoutId: string): boolean;
  returnPayout(payoutId: string, reason: string): boolean;
  credit(order: CreditOrder): CreditRecord;
  failNextPayout(reason: string): void;
  setPayingBalance(amountPence: number): void;
};

const OPENING_BALANCE_PENCE = 500_000_000;
/** ClearBank's sort code, under which TrueLayer's sandbox accounts live. */
const SORT_CODE = '040662';

/** `emit` queues a webhook; it runs inside the same transaction as the move it tells of. */
export function openBank(store: DoubleStore, clock: Clock, emit: (event: KnownEventWire) => void): Bank {
  const payouts = store.collection<PayoutRecord>('truelayer.payouts');
  const accounts = store.collection<AccountRecord>('truelayer.accounts');
  const credits = store.collection<CreditRecord>('truelayer.credits');
  const unfinished = store.collection<true>('truelayer.unfinished');
  const nextFailure = store.collection<string>('truelayer.next_failure');

  function payingAccount(): AccountRecord {
    const held = accounts.get(SANDBOX_TRUELAYER.merchantAccountId);
    if (held) return held;
    const opened = newAccount(SANDBOX_TRUELAYER.merchantAccountId, 'paying', 'InstantVAT Funding', '10000001', OPENING_BALANCE_PENCE);
    accounts.put(opened.id, opened);
    return opened;
  }

  function move(account: AccountRecord, change: { available?: number; balance?: number }): void {
    const { available = 0, balance = 0 } = change;
    accounts.put(account.id, {
      ...account,
      available_pence: account.available_pence + available,
      balance_pence: account.balance_pence + balance,
    });
  }

  function fail(payout: PayoutRecord, reason: string): void {
    const failed_at = clock.now();
    payouts.put(payout.id, { ...payout, status: 'failed', failed_at, failure_reason: reason });
    unfinished.delete(payout.id);
    emit({ type: 'payout_failed', ...eventOf(payout), failed_at, failure_reason: reason });
  }

  function authorize(payout: PayoutRecord, account: AccountRecord): boolean {
    if (account.available_pence < payout.amount_pence) {
      fail(payout, 'insufficient_funds');
      return false;
    }
    move(account, { available: -payout.amount_pence });
    payouts.put(payout.id, { ...payout, status: 'authorized' });
    return true;
  }

  function execute(payout: PayoutRecord, account: AccountRecord): boolean {
    const reason = nextFailure.get('next');
    if (reason !== undefined) {
      nextFailure.delete('next');
      move(account, { available: payout.amount_pence });
      fail(payout, reason);
      return false;
    }
    const executed_at = clock.now();
    move(account, { balance: -payout.amount_pence });
    payouts.put(payout.id, { ...payout, status: 'executed', executed_at });
    unfinished.delete(payout.id);
    emit({ type: 'payout_executed', ...eventOf(payout), executed_at, scheme_id: 'faster_payments_service' });
    return false;
  }

  return {
    payouts,
    accounts,
    credits,
    unfinished,
    payingAccount: () => store.atomically(payingAccount),
    openCollectionAccount: (accountHolderName) =>
      store.atomically(() => {
        const number = String(30_000_001 + accounts.list().length);
        const opened = newAccount(randomUUID(), 'collection', accountHolderName, number, 0);
        accounts.put(opened.id, opened);
        return opened;
      }),
    createPayout: (idempotencyKey, order) =>
      store.atomically(() => {
        const payout = newPayout(idempotencyKey, order, clock.now());
        payouts.put(payout.id, payout);
        unfinished.put(payout.id, true);
        return payout;
      }),
    advancePayout: (payoutId) =>
      store.atomically(() => {
        const payout = payouts.get(payoutId);
        const account = payout && accounts.get(payout.account_id);
        if (!payout || !account) return false;
        if (payout.status === 'pending') return authorize(payout, account);
        if (payout.status === 'authorized') return execute(payout, account);
        return false;
      }),
    returnPayout: (payoutId, reason) =>
      store.atomically(() => {
        const payout = payouts.get(payoutId);
        const account = payout && accounts.get(payout.account_id);
        if (!account || payout.status !== 'executed') return false;
        const credit: CreditRecord = {
          transaction_id: randomUUID(),
          held_by: 'truelayer',
          sort_code: account.sort_code,
          account_number: account.account_number,
          amount_pence: payout.amount_pence,
          remitter_name: payout.beneficiary_name,
          reference: reason.slice(0, 18),
          at: clock.now(),
          account_id: account.id,
          return_for: payout.id,
        };
        credits.put(credit.transaction_id, credit);
        move(account, { available: payout.amount_pence, balance: payout.amount_pence });
        fail({ ...payout, returned_by: credit.transaction_id }, 'returned');
        return true;
      }),
    credit: (order) =>
      store.atomically(() => {
        payingAccount();
        const account = accounts
          .list()
          .map(({ document }) => document)
          .find(({ sort_code, account_number }) => sort_code === order.sortCode && account_number === order.accountNumber);
        const credit = newCredit(order, clock.now(), account?.id);
        credits.put(credit.transaction_id, credit);
        if (!account) return credit;
        move(account, { available: order.amountPence, balance: order.amountPence });
        emit(creditEvent(credit, account));
        return credit;
      }),
    failNextPayout: (reason) => nextFailure.put('next', reason),
    setPayingBalance: (amountPence) =>
      store.atomically(() => {
        const account = payingAccount();
        const change = amountPence - account.balance_pence;
        move(account, { available: change, balance: change });
      }),
  };
}

function newAccount(id: string, kind: 'paying' | 'collection', holder: string, number: string, pence: number): AccountRecord {
  return {
    id,
    kind,
    account_holder_name: holder,
    sort_code: SORT_CODE,
    account_number: number,
    balance_pence: pence,
    available_pence: pence,
  };
}

function newPayout(idempotencyKey: string, order: CreatePayoutWire, created_at: string): PayoutRecord {
  return {
    id: randomUUID(),
    account_id: order.merchant_account_id,
    idempotency_key: idempotencyKey,
    status: 'pending',
    amount_pence: order.amount_in_minor,
    reference: order.beneficiary.reference,
    beneficiary_name: order.beneficiary.account_holder_name,
    sort_code: order.beneficiary.account_identifier.sort_code,
    account_number: order.beneficiary.account_identifier.account_number,
    created_at,
    ...(order.metadata ? { metadata: order.metadata } : {}),
  };
}

function newCredit(order: CreditOrder, at: string, accountId: string | undefined): CreditRecord {
  return {
    transaction_id: randomUUID(),
    held_by: accountId === undefined ? 'another_bank' : 'truelayer',
    sort_code: order.sortCode,
    account_number: order.accountNumber,
    amount_pence: order.amountPence,
    remitter_name: order.remitterName,
    reference: order.reference,
    at,
    ...(accountId === undefined ? {} : { account_id: accountId }),
  };
}

function eventOf(payout: PayoutRecord) {
  return {
    event_id: randomUUID(),
    event_version: 1,
    payout_id: payout.id,
    merchant_account_id: payout.account_id,
    beneficiary: { type: 'external_account' },
    ...(payout.metadata ? { metadata: payout.metadata } : {}),
  };
}

function creditEvent(credit: CreditRecord, account: AccountRecord): KnownEventWire {
  return {
    type: 'external_payment_received',
    event_id: randomUUID(),
    event_version: 1,
    transaction_id: credit.transaction_id,
    merchant_account_id: account.id,
    currency: 'GBP',
    amount_in_minor: credit.amount_pence,
    settled_at: credit.at,
    remitter: { account_holder_name: credit.remitter_name, reference: credit.reference },
  };
}
