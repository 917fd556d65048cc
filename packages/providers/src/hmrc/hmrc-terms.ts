/** What HMRC's VAT, OAuth and VAT-number services speak of, in the portal's own terms. */
import type { Clock, Instant } from '@portal/domain/clock.ts';
import type { Pence } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { FraudHeaders } from './fraud-headers.ts';

/** `apiUrl` is called by the server, `authorizeUrl` is the whole address of the authorise page that the browser opens. */
export type HmrcClientDeps = {
  readonly apiUrl: string;
  readonly authorizeUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  /** How long an answer is waited for; 15 seconds unless told. */
  readonly timeoutMs?: number;
};

/** Who calls: one trader's (or agent's) grant, and the fraud-prevention headers of the person and connection behind the call. */
export type HmrcCall = { readonly accessToken: string; readonly fraudHeaders: FraudHeaders };

/** `expiresAt` is when the access token dies; the refresh token works once. */
export type HmrcTokens = {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresAt: Instant;
  /** Absent where HMRC's reply named none (a refresh). */
  readonly scopes?: readonly string[];
};

/** A return HMRC expects. `periodKey` is opaque and never shown; dates come from here alone. `received` stands where fulfilled. */
export type Obligation = {
  readonly periodKey: string;
  readonly start: PlainDate;
  readonly end: PlainDate;
  readonly due: PlainDate;
  readonly status: 'open' | 'fulfilled';
  readonly received?: PlainDate;
};

/** Open ones need no dates; otherwise from < to <= from + 1 year. */
export type ObligationsQuery =
  | { readonly status: 'open' }
  | { readonly from: PlainDate; readonly to: PlainDate; readonly status?: 'open' | 'fulfilled' };

/** For charges and payments: from < to <= from + 1 year - 1 day, to not after today. */
export type HmrcDateRange = { readonly from: PlainDate; readonly to: PlainDate };

/** HMRC's acceptance of a return. It cannot be fetched again: store it whole. `verbatim` is the answer as it came, header names in lower case. */
export type FilingReceipt = {
  readonly processedAt: Instant;
  readonly formBundleNumber: string;
  readonly paymentIndicator?: 'DD' | 'BANK';
  readonly chargeRefNumber?: string;
  readonly receiptId?: string;
  readonly receiptTimestamp?: string;
  readonly correlationId?: string;
  readonly verbatim: { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string };
};

/** An amount HMRC wants (positive) or owes (negative). `outstanding` is 0 where nothing is left. */
export type Liability = {
  readonly period?: { readonly start: PlainDate; readonly end: PlainDate };
  readonly type: string;
  readonly original: Pence;
  readonly outstanding: Pence;
  readonly due?: PlainDate;
};

/** One allocation of a payment; several may be one bank payment. */
export type HmrcPayment = { readonly amount: Pence; readonly received?: PlainDate };

export type VatInformation = {
  readonly registeredOn?: PlainDate;
  readonly flatRateScheme?: { readonly category?: string; readonly startedOn?: PlainDate };
};

export type VatNumberLookup = {
  readonly vrn: string;
  readonly name: string;
  readonly addressLines: readonly string[];
  readonly postcode?: string;
  readonly countryCode: string;
  readonly checkedAt: Instant;
};
