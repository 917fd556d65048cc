/** Moves each payout to its next state after a short delay. The states are in the store; only the timers are in memory. */
import type { WebhookSender } from '../simulator/webhook-sender.ts';
import type { Bank } from './bank-records.ts';

export type PayoutTimers = {
  /** Moves the payout through its states until it is finished. */
  scheduleSteps(payoutId: string): void;
  stop(): void;
};

export function createPayoutTimers(bank: Bank, webhookSender: WebhookSender, stepMs: number): PayoutTimers {
  const timers = new Map<string, NodeJS.Timeout>();
  const scheduleSteps = (payoutId: string): void => {
    if (timers.has(payoutId)) return;
    const timer = setTimeout(() => {
      timers.delete(payoutId);
      if (bank.advancePayout(payoutId)) scheduleSteps(payoutId);
      else webhookSender.wake();
    }, stepMs);
    timer.unref();
    timers.set(payoutId, timer);
  };
  return {
    scheduleSteps,
    stop: () => {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
