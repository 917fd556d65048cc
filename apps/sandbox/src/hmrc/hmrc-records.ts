/** Records of the HMRC simulator, each a separate kind of document. Amounts are pence; positive is owed to HMRC. */
import type { Instant } from '@portal/domain/clock.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { FraudValidation } from './grade-fraud-headers.ts';
import type { NineBoxes } from '@portal/domain/vat-returns/nine-boxes.ts';

export type UserKind = 'organisation' | 'individual' | 'agent';

/**
 * A Government Gateway sign-in. `identifiers` are the ones that Create Test User generates besides the VRN, under the names in its
 * response.
 */
export type UserRecord = {
  readonly userId: string;
  readonly password: string;
  readonly kind: UserKind;
  readonly fullName: string;
  readonly emailAddress: string;
  readonly services: readonly string[];
  readonly vrn?: string;
  readonly identifiers: Readonly<Record<string, string>>;
};

/** The months in which quarters end: 1 = March, June, ...; 2 = April, July, ...; 3 = May, August, ... */
export type Stagger = 1 | 2 | 3 | 'monthly';

/** The kind of a trader's past returns: an exporter gets repayments, a payer pays, a dormant trader files nil returns. */
export type TraderHistory = {
  readonly fulfilledPeriods: number;
  readonly kind: 'exporter' | 'payer' | 'dormant';
  readonly typicalNetPence: number;
};

export type BankAccount = { readonly sortCode: string; readonly accountNumber: string; readonly accountName: string };

export type Address = { readonly line1: string; readonly line2: string; readonly postcode: string };

/** A VAT registration. `nextSituation` applies to the next repayment claim. */
export type TraderRecord = {
  readonly vrn: string;
  readonly organisationName: string;
  readonly address: Address;
  readonly vatRegistrationDate: PlainDate;
  readonly stagger: Stagger;
  readonly history: TraderHistory;
  readonly insolvent: boolean;
  readonly hasDirectDebit: boolean;
  readonly repaymentAccount?: BankAccount;
  readonly nextSituation?: 'query' | 'adjustment' | 'set_off';
};

/** A return that HMRC expects. It is fulfilled once HMRC holds the return, and shown as fulfilled from `fulfilledOn`. */
export type ObligationRecord = { readonly periodKey: string; readonly start: PlainDate; readonly end: PlainDate; readonly due: PlainDate };

/** A return that HMRC holds. `source` distinguishes filed returns from the generated history. */
export type ReturnRecord = {
  readonly periodKey: string;
  readonly boxes: NineBoxes;
  readonly receivedOn: PlainDate;
  readonly fulfilledOn: PlainDate;
  readonly source: 'filed' | 'history';
  /** HMRC has the return but doesn't show its figures, as for periods before the business joined Making Tax Digital. */
  readonly isHidden?: boolean;
};

/** An accepted submission, as evidence: append-only. */
export type SubmissionRecord = {
  readonly vrn: string;
  readonly periodKey: string;
  readonly acceptedAt: Instant;
  readonly userId: string;
  readonly formBundleNumber: string;
  readonly receiptId: string;
  readonly correlationId: string;
  readonly bodyText: string;
};

export type ChargeRecord = {
  readonly chargeId: string;
  readonly periodKey?: string;
  readonly period?: { readonly from: PlainDate; readonly to: PlainDate };
  readonly type: string;
  readonly originalPence: number;
  readonly outstandingPence: number;
  readonly due: PlainDate;
};

export type PaymentRecord = { readonly chargeId: string; readonly amountPence: number; readonly receivedOn: PlainDate };

/** HMRC's stages of a repayment claim under its own names (docs/reference/hmrc.md section 8), plus PAID once the payment has been made. */
export const REPAYMENT_STAGES = [
  'INITIAL',
  'SENT_FOR_RISKING',
  'CLAIM_QUERIED',
  'REPAYMENT_SUSPENDED',
  'REPAYMENT_ADJUSTED',
  'ADJUSMENT_TO_TAX_DUE',
  'REPAYMENT_APPROVED',
  'PAID',
] as const;
export type RepaymentStage = (typeof REPAYMENT_STAGES)[number];

/**
 * A repayment claim with positive amounts. `hmrcPence` is HMRC's figure when it differs from the claim; with tax due it is the amount the
 * trader owes.
 */
export type RepaymentRecord = {
  readonly vrn: string;
  readonly periodKey: string;
  readonly chargeId: string;
  readonly returnCreationDate: PlainDate;
  readonly claimedPence: number;
  readonly hmrcPence?: number;
  readonly setOffPence: number;
  readonly stage: RepaymentStage;
  readonly stages: readonly { readonly stage: RepaymentStage; readonly on: PlainDate }[];
  /**
   * `by` says whether HMRC paid to the bank account, by payable order (without a bank account), or not at all because the set-off used the
   * full amount.
   */
  readonly paid?: {
    readonly on: PlainDate;
    readonly amountPence: number;
    readonly reference: string;
    readonly by: 'bank' | 'payable_order' | 'set_off';
    readonly account?: BankAccount;
  };
};

/** A user's authorisation of an app. It ends 18 months after it was given, even if tokens are refreshed. */
export type GrantRecord = {
  readonly grantId: string;
  readonly clientId: string;
  readonly userId: string;
  readonly scopes: readonly string[];
  readonly grantedAt: Instant;
  readonly expiresAt: Instant;
  readonly revoked: boolean;
  /** The only valid access token and refresh token; a refresh replaces both. */
  readonly accessToken?: string;
  readonly refreshToken?: string;
};

export type CodeRecord = {
  readonly clientId: string;
  readonly userId: string;
  readonly scopes: readonly string[];
  readonly redirectUri: string;
  readonly expiresAt: Instant;
  readonly codeChallenge?: string;
};

/** A record without `grantId` is an application token. */
export type AccessTokenRecord = {
  readonly clientId: string;
  readonly grantId?: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Instant;
};

/** A served call with its fraud prevention headers and their grade. */
export type CallRecord = {
  readonly at: Instant;
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly clientId?: string;
  readonly userId?: string;
  readonly fraudHeaders: Readonly<Record<string, string>>;
  readonly fraudGrade: FraudValidation;
};
