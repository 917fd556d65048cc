/** Types of HMRC's VAT, OAuth and VAT number APIs. */
import type { Clock, Instant } from '@portal/domain/clock.ts';
import type { Pence } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { CallOptions, ProviderFetch } from '../http/rate-limit-fetch.ts';
import type { FraudHeaders } from './fraud-headers.ts';

/** The server calls `apiUrl`. `authorizeUrl` is the full URL of the authorisation page that the browser opens. */
export type HmrcClientDeps = {
  readonly apiUrl: string;
  readonly authorizeUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  readonly fetch: ProviderFetch;
  readonly clock: Clock;
  /** Time limit for one call; default 15 seconds. */
  readonly timeoutMs?: number;
};

/** The access token of a trader or agent, and the fraud prevention headers of the user and connection behind the call. */
export type HmrcCall = { readonly accessToken: string; readonly fraudHeaders: FraudHeaders; readonly options?: CallOptions };

/** `expiresAt` is when the access token expires. The refresh token works only once. */
export type HmrcTokens = {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresAt: Instant;
  /** Absent if HMRC's response has no scope (a refresh). */
  readonly scopes?: readonly string[];
};

/** A VAT return that HMRC expects. `periodKey` is opaque and never shown, so use the dates. `received` is present if fulfilled. */
export type Obligation = {
  readonly periodKey: string;
  readonly start: PlainDate;
  readonly end: PlainDate;
  readonly due: PlainDate;
  readonly status: 'open' | 'fulfilled';
  readonly received?: PlainDate;
};

/** Dates are optional for open obligations; otherwise from < to <= from + 1 year. */
export type ObligationsQuery =
  | { readonly status: 'open' }
  | { readonly from: PlainDate; readonly to: PlainDate; readonly status?: 'open' | 'fulfilled' };

/** Range for liabilities and payments: from < to <= from + 1 year - 1 day, and `to` not after today. */
export type HmrcDateRange = { readonly from: PlainDate; readonly to: PlainDate };

/**
 * HMRC's acceptance of a return. It can't be fetched again, so store all of it. `verbatim` is the original response, with header names in
 * lower case.
 */
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

/** An amount owed to HMRC (positive) or by HMRC (negative). `outstanding` is 0 when fully settled. */
export type Liability = {
  readonly period?: { readonly start: PlainDate; readonly end: PlainDate };
  readonly type: string;
  readonly original: Pence;
  readonly outstanding: Pence;
  readonly due?: PlainDate;
};

/** One allocation of a payment. Several may belong to the same bank payment. */
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
