/**
 * The simulator's balance and payouts. Collections, fees and amounts to return accumulate on the balance; when it is positive, one payout
 * takes all of it and arrives on the next working day.
 */
import { randomBytes } from 'node:crypto';
import type { Clock } from '@portal/domain/clock.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { DirectDebitPayoutStatus } from '@portal/domain/shortfalls/direct-debit-payout.ts';
import type { SimulatorStore } from '../simulator/simulator-store.ts';

type PaymentSummary = { readonly id: string; readonly status: string; readonly amount: number };

/** In tenths of a penny; positive amounts are due to the merchant. */
export type BalanceItem = { readonly type: string; readonly payment_id: string; readonly tenths: number };

export type PayoutRecord = {
  readonly id: string;
  readonly status: DirectDebitPayoutStatus;
  readonly amount: number;
  readonly reference: string;
  readonly arrival_date: PlainDate;
  readonly created_at: string;
  readonly items: readonly BalanceItem[];
};

type PayoutDeps = {
  readonly clock: Clock;
  readonly emit: (resourceType: string, action: string, links: Readonly<Record<string, string>>, description?: string) => void;
  readonly nextWorkingDay: (from: PlainDate) => PlainDate;
};

export function openPayouts(store: SimulatorStore, { clock, emit, nextWorkingDay }: PayoutDeps) {
  const payouts = store.collection<PayoutRecord>('gocardless.payouts');
  const balance = store.collection<BalanceItem>('gocardless.balance');
  const add = (type: string, payment: PaymentSummary, tenthsOfPenny: number): void =>
    balance.put(randomBytes(9).toString('hex'), { type, payment_id: payment.id, tenths: tenthsOfPenny });
  const setPayout = (payout: PayoutRecord, status: DirectDebitPayoutStatus): PayoutRecord => {
    const changedPayout = { ...payout, status };
    payouts.put(payout.id, changedPayout);
    emit('payouts', status, { payout: payout.id });
    return changedPayout;
  };
  return {
    payouts,
    setPayout,
    /** Applies a payment's new status to the balance. */
    follow: (before: PaymentSummary, after: PaymentSummary): void => {
      if (before.status === after.status) return;
      if (after.status === 'paid_out') {
        add('payment_paid_out', after, after.amount * 10);
        add('gocardless_fee', after, -getFeeTenths(after));
      } else if (before.status === 'paid_out') {
        add(after.status === 'charged_back' ? 'payment_charged_back' : 'payment_failed', after, -after.amount * 10);
        add('gocardless_fee', after, getFeeTenths(after));
      }
    },
    advance: (today: PlainDate): void => {
      for (const { document: payout } of payouts.list())
        if (payout.status === 'pending' && payout.arrival_date <= today) setPayout(payout, 'paid');
      const waitingItems = balance.list();
      const amount = Math.round(waitingItems.reduce((sum, { document }) => sum + document.tenths, 0) / 10);
      if (amount <= 0) return;
      const id = `PO${randomBytes(6).toString('hex').toUpperCase()}`;
      const items = waitingItems.map(({ document }) => document);
      const times = { arrival_date: nextWorkingDay(today), created_at: clock.now() };
      payouts.put(id, { id, status: 'pending', amount, reference: `TIDEWATER-${id.slice(2, 8)}`, items, ...times });
      for (const { key } of waitingItems) balance.delete(key);
    },
  };
}

export type Payouts = ReturnType<typeof openPayouts>;

/** Returns the fee at the simulator's price: 1% and 20p, at most £4. */
function getFeeTenths({ amount }: PaymentSummary): number {
  return Math.min(Math.round(amount / 10) + 200, 4_000);
}
