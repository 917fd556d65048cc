/** Client for HMRC's VAT, OAuth and VAT number APIs. Every failure is a ProviderError; only a stale application token is retried. */
import { cacheApplicationToken, requestUserTokens } from './hmrc-tokens.ts';
import { parseHmrcError, readResponse, sendToHmrc, type HmrcResponse, type HmrcRequest } from './send-to-hmrc.ts';
import {
  mapInformation,
  mapLiability,
  mapObligation,
  mapPayment,
  mapReceipt,
  mapReturn,
  mapVatNumber,
  formatReturnBody,
} from './hmrc-map.ts';
import {
  filingReceiptWire,
  liabilitiesWire,
  obligationsWire,
  paymentsWire,
  vatInformationWire,
  vatNumberLookupWire,
  vatReturnWire,
} from './hmrc-wire.ts';
import type {
  HmrcTokens,
  HmrcCall,
  ObligationsQuery,
  Obligation,
  FilingReceipt,
  HmrcDateRange,
  Liability,
  HmrcPayment,
  VatInformation,
  VatNumberLookup,
  HmrcClientDeps,
} from './hmrc-types.ts';
import type { CallOptions } from '../http/rate-limit-fetch.ts';
import type { NineBoxes } from '@portal/domain/vat-returns/nine-boxes.ts';

export type HmrcScope =
  | 'read:vat'
  | 'write:vat'
  | 'read:self-assessment'
  | 'write:self-assessment'
  | 'read:sent-invitations'
  | 'write:sent-invitations'
  | 'write:cancel-invitations'
  | 'read:check-relationship'
  | 'write:relationships';

export type HmrcClient = {
  /** Returns the URL where the user grants access in the browser. `codeChallenge` is S256 (PKCE). */
  authorizeUrl(request: { state: string; scopes: readonly HmrcScope[]; codeChallenge?: string }): string;
  exchangeCode(grant: { code: string; codeVerifier?: string }): Promise<HmrcTokens>;
  /**
   * Invalidates the old access and refresh tokens immediately, so refresh one connection at a time. A revoked or expired authorisation
   * fails as `unauthorized`. `beforeSending` runs when the call may be sent.
   */
  refresh(refreshToken: string, beforeSending?: () => Promise<void>): Promise<HmrcTokens>;
  /** Sorted by start date; empty if HMRC has none. */
  listObligations(call: HmrcCall, vrn: string, query: ObligationsQuery): Promise<Obligation[]>;
  /**
   * Files the return, which can't be undone. Call it only after the declaration has been recorded. `unknown` means that the return may have
   * been filed: check with findReturn and never resend blindly.
   */
  submitReturn(call: HmrcCall, vrn: string, periodKey: string, boxes: NineBoxes): Promise<FilingReceipt>;
  /** Returns the filed return, or undefined if HMRC has none for that key. */
  findReturn(call: HmrcCall, vrn: string, periodKey: string): Promise<NineBoxes | undefined>;
  listLiabilities(call: HmrcCall, vrn: string, range: HmrcDateRange): Promise<Liability[]>;
  listPayments(call: HmrcCall, vrn: string, range: HmrcDateRange): Promise<HmrcPayment[]>;
  findVatInformation(call: HmrcCall, vrn: string): Promise<VatInformation | undefined>;
  /**
   * Returns the business with that VAT number, if any. It doesn't need a trader's authorisation, so anyone can trigger it: `unverified`.
   */
  lookupVatNumber(vrn: string, options?: Pick<CallOptions, 'priority'>): Promise<VatNumberLookup | undefined>;
};

/** Creates the client, which caches only the application token. */
export function createHmrcClient(deps: HmrcClientDeps): HmrcClient {
  const requestApplicationToken = cacheApplicationToken(deps);
  const send = (call: HmrcCall, request: Pick<HmrcRequest, 'operation' | 'method' | 'effect'> & { path: string; body?: string }) =>
    sendToHmrc(deps, {
      operation: request.operation,
      method: request.method,
      effect: request.effect,
      url: `${deps.apiUrl}/organisations/vat/${request.path}`,
      headers: {
        ...call.fraudHeaders,
        accept: 'application/vnd.hmrc.1.0+json',
        authorization: `Bearer ${call.accessToken}`,
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      call: call.options,
      ...(request.body === undefined ? {} : { body: request.body }),
    });
  const read = (call: HmrcCall, operation: string, path: string) => send(call, { operation, path, method: 'GET', effect: 'read' });
  return {
    authorizeUrl: (request) => buildAuthorizeUrl(deps, request),
    exchangeCode: ({ code, codeVerifier }) =>
      requestUserTokens(
        deps,
        {
          grant_type: 'authorization_code',
          redirect_uri: deps.redirectUri,
          code,
          ...(codeVerifier === undefined ? {} : { code_verifier: codeVerifier }),
        },
        // Anyone can return from HMRC's page with an invented code.
        { priority: 'unverified' },
      ),
    refresh: (refreshToken, beforeSending) => {
      const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
      return requestUserTokens(deps, form, { priority: 'urgent', ...(beforeSending === undefined ? {} : { beforeSending }) });
    },
    listObligations: async (call, vrn, query) => {
      const response = await read(call, 'hmrc.obligations', `${vrn}/obligations?${toObligationsQuery(query)}`);
      if (isNotFound(response)) return [];
      const obligations = readResponse(response, 200, obligationsWire, (read) => read.obligations.map(mapObligation));
      // HMRC documents both ascending and descending order.
      return obligations.sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0));
    },
    submitReturn: async (call, vrn, periodKey, boxes) => {
      const body = formatReturnBody(periodKey, boxes);
      const response = await send(call, { operation: 'hmrc.submit_return', path: `${vrn}/returns`, method: 'POST', effect: 'write', body });
      // Error responses also carry a Receipt-ID. Only a 201 proves that the return was filed.
      return readResponse(response, 201, filingReceiptWire, (receipt) => mapReceipt(receipt, response));
    },
    findReturn: async (call, vrn, periodKey) => {
      const response = await read(call, 'hmrc.view_return', `${vrn}/returns/${encodeURIComponent(periodKey)}`);
      if (isUnfiled(response)) return undefined;
      return readResponse(response, 200, vatReturnWire, mapReturn);
    },
    listLiabilities: async (call, vrn, { from, to }) => {
      const response = await read(call, 'hmrc.liabilities', `${vrn}/liabilities?from=${from}&to=${to}`);
      return isNotFound(response) ? [] : readResponse(response, 200, liabilitiesWire, (read) => read.liabilities.map(mapLiability));
    },
    listPayments: async (call, vrn, { from, to }) => {
      const response = await read(call, 'hmrc.payments', `${vrn}/payments?from=${from}&to=${to}`);
      return isNotFound(response) ? [] : readResponse(response, 200, paymentsWire, (read) => read.payments.map(mapPayment));
    },
    findVatInformation: async (call, vrn) => {
      const response = await read(call, 'hmrc.information', `${vrn}/information`);
      return isNotFound(response) ? undefined : readResponse(response, 200, vatInformationWire, mapInformation);
    },
    lookupVatNumber: async (vrn, call = { priority: 'unverified' }) => {
      const response = await requestApplicationToken.use((token) => sendLookup(deps, vrn, token, call), call);
      return isNotFound(response) ? undefined : readResponse(response, 200, vatNumberLookupWire, mapVatNumber);
    },
  };
}

function buildAuthorizeUrl(deps: HmrcClientDeps, request: Parameters<HmrcClient['authorizeUrl']>[0]): string {
  const url = new URL(deps.authorizeUrl);
  url.searchParams.set('response_type', 'code');
  url.searchParams.set('client_id', deps.clientId);
  url.searchParams.set('scope', request.scopes.join(' '));
  url.searchParams.set('redirect_uri', deps.redirectUri);
  url.searchParams.set('state', request.state);
  if (request.codeChallenge !== undefined) {
    url.searchParams.set('code_challenge', request.codeChallenge);
    url.searchParams.set('code_challenge_method', 'S256');
  }
  return url.href;
}

function toObligationsQuery(query: ObligationsQuery): string {
  const parameters = new URLSearchParams();
  if ('from' in query) {
    parameters.set('from', query.from);
    parameters.set('to', query.to);
  }
  if (query.status !== undefined) parameters.set('status', query.status === 'open' ? 'O' : 'F');
  return parameters.toString();
}

/** HMRC returns 404 NOT_FOUND for an empty list. An unknown path, which would be our mistake, gives 404 MATCHING_RESOURCE_NOT_FOUND. */
function isNotFound(response: HmrcResponse): boolean {
  return response.status === 404 && parseHmrcError(response.bodyText)?.code === 'NOT_FOUND';
}

/** An unfiled return gives a 404 with an empty body. Only the service sends X-CorrelationId, so a proxy's 404 doesn't count. */
function isUnfiled(response: HmrcResponse): boolean {
  if (response.status !== 404) return false;
  if (response.bodyText === '') return response.headers.has('x-correlationid');
  const code = parseHmrcError(response.bodyText)?.code;
  return code === 'NOT_FOUND' || code === 'PERIOD_KEY_INVALID';
}

function sendLookup(deps: HmrcClientDeps, vrn: string, token: string, call: CallOptions): Promise<HmrcResponse> {
  return sendToHmrc(deps, {
    operation: 'hmrc.check_vat_number',
    method: 'GET',
    effect: 'read',
    url: `${deps.apiUrl}/organisations/vat/check-vat-number/lookup/${encodeURIComponent(vrn)}`,
    headers: { accept: 'application/vnd.hmrc.2.0+json', authorization: `Bearer ${token}` },
    call,
  });
}
