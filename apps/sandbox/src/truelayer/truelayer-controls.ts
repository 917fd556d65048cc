/** What a person or a test may do to the payments double, beside its wire: none of it exists at TrueLayer. */
import type { SandboxWebhook } from '../simulator/webhook-courier.ts';

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

/** Money sent to an account of the world. `held_by` says whether it is one of the double's accounts. */
export type SandboxCredit = {
  readonly transaction_id: string;
  readonly held_by: 'truelayer' | 'another_bank';
  readonly sort_code: string;
  readonly account_number: string;
  readonly amount_pence: number;
  readonly remitter_name: string;
  readonly reference: string;
  readonly at: string;
};

/** Payments that agree in beneficiary, amount and reference but came under different keys; `not_failed` above one means paid twice. */
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
  /** Payouts executed and not returned, in pence. */
  readonly paid_pence: number;
  readonly equal_under_different_keys: readonly EqualPayments[];
};

export type CreditOrder = {
  readonly sortCode: string;
  readonly accountNumber: string;
  readonly amountPence: number;
  readonly remitterName: string;
  readonly reference: string;
};

export type TrueLayerControls = {
  listPayouts(): SandboxPayout[];
  /** The beneficiary's bank sends an executed payout back. False where there is no such executed payout. */
  returnPayout(payoutId: string, reason: string): boolean;
  /** The next payout to be executed fails with this reason ("scheme_error", "blocked"...). */
  failNextPayout(reason: string): void;
  /** Money arrives from outside: HMRC's repayment, or anybody's payment. */
  creditAccount(order: CreditOrder): SandboxCredit;
  listCredits(): SandboxCredit[];
  listCollectionAccounts(): SandboxAccount[];
  payingAccount(): SandboxAccount;
  setPayingBalance(amountPence: number): void;
  payoutStatistics(): PayoutStatistics;
  listWebhooks(): SandboxWebhook[];
};
