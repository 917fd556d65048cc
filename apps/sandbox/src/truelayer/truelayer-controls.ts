/** Controls for the bank simulator, used by the control page and tests. TrueLayer has no equivalent. */
import type { SandboxWebhook } from '../simulator/webhook-sender.ts';

export type SandboxPayout = {
  readonly id: string;
  readonly idempotency_key: string;
  readonly status: 'pending' | 'authorized' | 'executed' | 'failed';
  readonly amount_pence: number;
  readonly reference: string;
  readonly beneficiary_name: string;
  readonly sort_code: string;
  readonly account_number: string;
  readonly created_at: string;
  readonly executed_at?: string;
  readonly failed_at?: string;
  readonly failure_reason?: string;
};

export type SandboxAccount = {
  readonly id: string;
  readonly kind: 'paying' | 'collection';
  readonly account_holder_name: string;
  readonly sort_code: string;
  readonly account_number: string;
  readonly balance_pence: number;
};

/** Money sent to an account. `held_by` says whether the account is one of the simulator's. */
export type SandboxCredit = {
  readonly transaction_id: string;
  readonly held_by: 'truelayer' | 'another_bank';
  readonly sort_code: string;
  readonly account_number: string;
  readonly amount_pence: number;
  /** ISO 4217; GBP if absent. */
  readonly currency?: string;
  readonly remitter_name: string;
  readonly reference: string;
  readonly at: string;
  /** The payout that came back with this credit. */
  readonly return_for?: string;
};

/** Payouts with the same beneficiary, amount and reference but different keys. If `not_failed` is above one, the payout was made twice. */
export type EqualPayments = {
  readonly sort_code: string;
  readonly account_number: string;
  readonly amount_pence: number;
  readonly reference: string;
  readonly payout_ids: readonly string[];
  readonly not_failed: number;
};

export type PayoutStatistics = {
  readonly payouts: number;
  readonly executed: number;
  readonly failed: number;
  /** Total of executed payouts that were not returned, in pence. */
  readonly paid_pence: number;
  readonly equal_under_different_keys: readonly EqualPayments[];
};

export type CreditOrder = {
  readonly sortCode: string;
  readonly accountNumber: string;
  /** In hundredths of the currency. Negative for a correction by the bank. */
  readonly amountPence: number;
  /** ISO 4217; GBP if absent. */
  readonly currency?: string;
  readonly remitterName: string;
  readonly reference: string;
};

/** A payment from one of the simulator's accounts, made in TrueLayer's console. */
export type ConsolePayment = {
  readonly fromAccountId: string;
  readonly amountPence: number;
  readonly to: { readonly name: string; readonly sortCode: string; readonly accountNumber: string };
  readonly reference: string;
  /** Another kind of payment than one to details that the person entered, such as TrueLayer's transfer to the firm's own bank account. */
  readonly beneficiaryType?: 'business_account' | 'payment_source';
};

export type TrueLayerControls = {
  listPayouts(): SandboxPayout[];
  /** Moves each unfinished payout one step. Without this call, payouts move automatically after `stepMs`. */
  advancePayouts(): void;
  /**
   * Makes the beneficiary's bank return an executed payout. Returns false if the payout doesn't exist or wasn't executed. `transactionId`: an
   * earlier credit that is only now identified as the return, so no more money arrives.
   */
  returnPayout(payoutId: string, reason: string, transactionId?: string): boolean;
  /** Makes a payout that the bank had reported as failed, without an event: the bank was wrong. Returns false if there is no such payout. */
  makeFailedPayout(payoutId: string): boolean;
  /** Returns the ID of the executed payout; undefined if there is no such account or not enough money on it. */
  payFromConsole(payment: ConsolePayment): string | undefined;
  /** Makes the next payout fail at execution with this reason, such as "scheme_error" or "blocked". */
  failNextPayout(reason: string): void;
  /** Credits money from another bank, such as HMRC's repayment. */
  creditAccount(order: CreditOrder): SandboxCredit;
  listCredits(): SandboxCredit[];
  listCollectionAccounts(): SandboxAccount[];
  payingAccount(): SandboxAccount;
  setPayingBalance(amountPence: number): void;
  payoutStatistics(): PayoutStatistics;
  listWebhooks(): SandboxWebhook[];
};
