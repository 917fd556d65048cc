/** Moves each payout along, one state after a short pause; the state is in the store, only the timers are here. */
import type { WebhookCourier } from '../simulator/webhook-courier.ts';
import type { Bank } from './bank-records.ts';

export type PayoutTimers = {
  /** Moves this payout along until it is finished. */
  follow(payoutId: string): void;
  stop(): void;
};

export function createPayoutTimers(bank: Bank, courier: WebhookCourier, stepMs: number): PayoutTimers {
  const timers = new Map<string, NodeJS.Timeout>();
  const follow = (payoutId: string): void => {
    if (timers.has(payoutId)) return;
    const timer = setTimeout(() => {
      timers.delete(payoutId);
      if (bank.advancePayout(payoutId)) follow(payoutId);
      else courier.wake();
    }, stepMs);
    timer.unref();
    timers.set(payoutId, timer);
  };
  return {
    follow,
    stop: () => {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
