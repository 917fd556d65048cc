/** The bank simulator's records, and the only functions that move money. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '@portal/domain/clock.ts';
import type { Collection, SimulatorStore } from '../simulator/simulator-store.ts';
import { SANDBOX_TRUELAYER } from './sandbox-credentials.ts';
import type { CreditOrder, SandboxAccount, SandboxCredit, SandboxPayout } from './truelayer-controls.ts';
import type { CreatePayoutWire, KnownEventWire } from '@portal/providers/truelayer/truelayer-wire.ts';

export type PayoutRecord = SandboxPayout & {
  readonly account_id: string;
  readonly metadata?: Record<string, string>;
  /** The credit that returned the payout. */
  readonly returned_by?: string;
  /** Only if it was made in the console. */
  readonly beneficiary_type?: 'business_account' | 'payment_source';
};

/** `available_pence` decreases when a payout is authorised, `balance_pence` when it is executed. */
export type AccountRecord = SandboxAccount & { readonly available_pence: number };

/** `account_id` is absent if the money went to another bank. */
export type CreditRecord = SandboxCredit & { readonly account_id?: string; readonly return_for?: string };

export type Bank = {
  readonly payouts: Collection<PayoutRecord>;
  readonly accounts: Collection<AccountRecord>;
  readonly credits: Collection<CreditRecord>;
  /** Payouts that haven't been executed or failed yet. They resume after a restart. */
  readonly unfinished: Collection<true>;
  payingAccount(): AccountRecord;
  openCollectionAccount(accountHolderName: string): AccountRecord;
  createPayout(idempotencyKey: string, order: CreatePayoutWire): PayoutRecord;
  /** Moves a payout one step: pending -> authorized -> executed, or failed. Returns true if another step follows. */
  advancePayout(payoutId: string): boolean;
  returnPayout(payoutId: string, reason: string, transactionId?: string): boolean;
  makeFailedPayout(payoutId: string): boolean;
  credit(order: CreditOrder): CreditRecord;
  failNextPayout(reason: string): void;
  setPayingBalance(amountPence: number): void;
};

const OPENING_BALANCE_PENCE = 500_000_000;
/** ClearBank's sort code, as used by TrueLayer's sandbox accounts. */
const SORT_CODE = '040662';

/** The bank's collections, clock and webhooks. `emit` queues a webhook inside the transaction that makes the change. */
type BankContext = Pick<Bank, 'payouts' | 'accounts' | 'credits' | 'unfinished'> & {
  readonly nextFailure: Collection<string>;
  readonly clock: Clock;
  readonly emit: (event: KnownEventWire) => void;
};

export function openBank(store: SimulatorStore, clock: Clock, emit: (event: KnownEventWire) => void): Bank {
  const context: BankContext = {
    payouts: store.collection<PayoutRecord>('truelayer.payouts'),
    accounts: store.collection<AccountRecord>('truelayer.accounts'),
    credits: store.collection<CreditRecord>('truelayer.credits'),
    unfinished: store.collection<true>('truelayer.unfinished'),
    nextFailure: store.collection<string>('truelayer.next_failure'),
    clock,
    emit,
  };
  const { payouts, accounts, credits, unfinished, nextFailure } = context;
  return {
    payouts,
    accounts,
    credits,
    unfinished,
    payingAccount: () => store.atomically(() => getPayingAccount(context)),
    openCollectionAccount: (accountHolderName) =>
      store.atomically(() => {
        const number = String(30_000_001 + accounts.list().length);
        const openedAccount = createAccount(randomUUID(), 'collection', accountHolderName, number, 0);
        accounts.put(openedAccount.id, openedAccount);
        return openedAccount;
      }),
    createPayout: (idempotencyKey, order) =>
      store.atomically(() => {
        const payout = createPayout(idempotencyKey, order, clock.now());
        payouts.put(payout.id, payout);
        unfinished.put(payout.id, true);
        return payout;
      }),
    advancePayout: (payoutId) => store.atomically(() => advancePayout(context, payoutId)),
    makeFailedPayout: (payoutId) => store.atomically(() => makeFailedPayout(context, payoutId)),
    returnPayout: (payoutId, reason, transactionId) => store.atomically(() => returnPayout(context, payoutId, reason, transactionId)),
    credit: (order) => store.atomically(() => receiveCredit(context, order)),
    failNextPayout: (reason) => nextFailure.put('next', reason),
    setPayingBalance: (amountPence) =>
      store.atomically(() => {
        const account = getPayingAccount(context);
        const change = amountPence - account.balance_pence;
        changeBalance(context, account, { available: change, balance: change });
      }),
  };
}

function getPayingAccount({ accounts }: BankContext): AccountRecord {
  const existing = accounts.get(SANDBOX_TRUELAYER.merchantAccountId);
  if (existing) return existing;
  const openedAccount = createAccount(
    SANDBOX_TRUELAYER.merchantAccountId,
    'paying',
    'InstantVAT Funding',
    '10000001',
    OPENING_BALANCE_PENCE,
  );
  accounts.put(openedAccount.id, openedAccount);
  return openedAccount;
}

function changeBalance(
  { accounts }: BankContext,
  account: AccountRecord,
  { available = 0, balance = 0 }: { available?: number; balance?: number },
): void {
  accounts.put(account.id, {
    ...account,
    available_pence: account.available_pence + available,
    balance_pence: account.balance_pence + balance,
  });
}

function advancePayout(context: BankContext, payoutId: string): boolean {
  const payout = context.payouts.get(payoutId);
  const account = payout && context.accounts.get(payout.account_id);
  if (!account) return false;
  if (payout.status === 'pending') return authorize(context, payout, account);
  if (payout.status === 'authorized') executePayout(context, payout, account);
  return false;
}

function authorize(context: BankContext, payout: PayoutRecord, account: AccountRecord): boolean {
  if (account.available_pence < payout.amount_pence) {
    failPayout(context, payout, 'insufficient_funds');
    return false;
  }
  changeBalance(context, account, { available: -payout.amount_pence });
  context.payouts.put(payout.id, { ...payout, status: 'authorized' });
  return true;
}

function executePayout(context: BankContext, payout: PayoutRecord, account: AccountRecord): void {
  const reason = context.nextFailure.get('next');
  if (reason !== undefined) {
    context.nextFailure.delete('next');
    changeBalance(context, account, { available: payout.amount_pence });
    failPayout(context, payout, reason);
    return;
  }
  const executed_at = context.clock.now();
  changeBalance(context, account, { balance: -payout.amount_pence });
  context.payouts.put(payout.id, { ...payout, status: 'executed', executed_at });
  context.unfinished.delete(payout.id);
  context.emit({ type: 'payout_executed', ...toEventBase(payout), executed_at, scheme_id: 'faster_payments_service' });
}

function failPayout(context: BankContext, payout: PayoutRecord, reason: string): void {
  const failed_at = context.clock.now();
  context.payouts.put(payout.id, { ...payout, status: 'failed', failed_at, failure_reason: reason });
  context.unfinished.delete(payout.id);
  context.emit({ type: 'payout_failed', ...toEventBase(payout), failed_at, failure_reason: reason });
}

function makeFailedPayout(context: BankContext, payoutId: string): boolean {
  const payout = context.payouts.get(payoutId);
  const account = payout && context.accounts.get(payout.account_id);
  if (!account || payout.status !== 'failed' || payout.returned_by !== undefined) return false;
  const { failed_at: _at, failure_reason: _reason, ...rest } = payout;
  context.payouts.put(payoutId, { ...rest, status: 'executed', executed_at: context.clock.now() });
  changeBalance(context, account, { available: -payout.amount_pence, balance: -payout.amount_pence });
  return true;
}

function returnPayout(context: BankContext, payoutId: string, reason: string, transactionId?: string): boolean {
  const payout = context.payouts.get(payoutId);
  const account = payout && context.accounts.get(payout.account_id);
  if (!account || payout.status !== 'executed') return false;
  const earlierCredit = transactionId === undefined ? undefined : context.credits.get(transactionId);
  const credit = earlierCredit ?? receiveReturn(context, payout, account, reason);
  context.credits.put(credit.transaction_id, { ...credit, return_for: payout.id });
  failPayout(context, { ...payout, returned_by: credit.transaction_id }, 'returned');
  return true;
}

function receiveReturn(context: BankContext, payout: PayoutRecord, account: AccountRecord, reason: string): CreditRecord {
  const order = {
    sortCode: account.sort_code,
    accountNumber: account.account_number,
    amountPence: payout.amount_pence,
    remitterName: payout.beneficiary_name,
    reference: reason.slice(0, 18),
  };
  changeBalance(context, account, { available: payout.amount_pence, balance: payout.amount_pence });
  return createCredit(order, context.clock.now(), account.id);
}

function receiveCredit(context: BankContext, order: CreditOrder): CreditRecord {
  getPayingAccount(context);
  const account = context.accounts
    .list()
    .map(({ document }) => document)
    .find(({ sort_code, account_number }) => sort_code === order.sortCode && account_number === order.accountNumber);
  const credit = createCredit(order, context.clock.now(), account?.id);
  context.credits.put(credit.transaction_id, credit);
  if (!account) return credit;
  // The account holds pounds only.
  if (isPounds(credit)) changeBalance(context, account, { available: order.amountPence, balance: order.amountPence });
  context.emit(toCreditEvent(credit, account));
  return credit;
}

function createAccount(id: string, kind: 'paying' | 'collection', holder: string, number: string, pence: number): AccountRecord {
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

function createPayout(idempotencyKey: string, order: CreatePayoutWire, created_at: string): PayoutRecord {
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

function createCredit(order: CreditOrder, at: string, accountId: string | undefined): CreditRecord {
  return {
    transaction_id: randomUUID(),
    held_by: accountId === undefined ? 'another_bank' : 'truelayer',
    sort_code: order.sortCode,
    account_number: order.accountNumber,
    amount_pence: order.amountPence,
    remitter_name: order.remitterName,
    reference: order.reference,
    ...(order.currency === undefined ? {} : { currency: order.currency }),
    at,
    ...(accountId === undefined ? {} : { account_id: accountId }),
  };
}

function isPounds({ currency }: CreditRecord): boolean {
  return currency === undefined || currency === 'GBP';
}

function toEventBase(payout: PayoutRecord) {
  return {
    event_id: randomUUID(),
    event_version: 1,
    payout_id: payout.id,
    merchant_account_id: payout.account_id,
    beneficiary: { type: 'external_account' },
    ...(payout.metadata ? { metadata: payout.metadata } : {}),
  };
}

function toCreditEvent(credit: CreditRecord, account: AccountRecord): KnownEventWire {
  return {
    type: 'external_payment_received',
    event_id: randomUUID(),
    event_version: 1,
    transaction_id: credit.transaction_id,
    merchant_account_id: account.id,
    currency: credit.currency ?? 'GBP',
    amount_in_minor: credit.amount_pence,
    settled_at: credit.at,
    remitter: { account_holder_name: credit.remitter_name, reference: credit.reference },
  };
}
