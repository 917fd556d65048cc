/** Client for Modulr's account name check. Every call has a new nonce, because the check rejects repeated ones. */
import { randomUUID } from 'node:crypto';
import { toEpochMs, type Clock } from '@portal/domain/clock.ts';
import { parseJson } from '../http/parse-json.ts';
import { ProviderError, type ProviderErrorFacts, type ProviderFailure } from '../http/provider-error.ts';
import { parseRetryAfterSeconds } from '../http/retry-after.ts';
import type { AccountNameCheck, AccountNameCheckResult } from './account-name-check-port.ts';
import { modulrErrorsWire, nameCheckResponseWire, type ResultCode } from './modulr-wire.ts';
import { signRequest } from './sign-request.ts';

/**
 * `apiUrl` doesn't have a trailing slash: "https://api.modulrfinance.com/api". `paymentAccountId`: the account that payouts are made from.
 */
export type ModulrSettings = {
  readonly apiUrl: string;
  readonly keyId: string;
  readonly secret: string;
  readonly paymentAccountId: string;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  /** Time limit for one call; default 10 seconds. */
  readonly timeoutMs?: number;
};

const MAX_NAME_LENGTH = 140;

/** A company never holds a personal account, however the name is spelled. */
const RESULTS: Readonly<Record<ResultCode, AccountNameCheckResult['result']>> = {
  MATCHED: 'match',
  BUSINESS_ACCOUNT_NAME_MATCHED: 'match',
  PERSONAL_ACCOUNT_NAME_MATCHED: 'no_match',
  CLOSE_MATCH: 'close_match',
  BUSINESS_ACCOUNT_CLOSE_MATCH: 'close_match',
  PERSONAL_ACCOUNT_CLOSE_MATCH: 'no_match',
  NOT_MATCHED: 'no_match',
  ACCOUNT_DOES_NOT_EXIST: 'no_match',
  SECONDARY_ACCOUNT_ID_NOT_FOUND: 'no_match',
  ACCOUNT_SWITCHED: 'no_match',
  WRONG_PARTICIPANT: 'no_match',
  ACCOUNT_NOT_SUPPORTED: 'unavailable',
  NO_RESPONSE: 'unavailable',
  NOT_ENROLLED: 'unavailable',
};

export function createModulrClient(settings: ModulrSettings): AccountNameCheck {
  return {
    checkBusinessAccount: async ({ name, sortCode, accountNumber }) => {
      const { status, headers, body } = await postToModulr(settings, {
        paymentAccountId: settings.paymentAccountId,
        sortCode,
        accountNumber,
        accountType: 'BUSINESS',
        name: name.slice(0, MAX_NAME_LENGTH),
      });
      if (status !== 201) throw toError(status, headers, body);
      const parsed = nameCheckResponseWire.safeParse(body);
      if (!parsed.success) throw createError('unavailable', { status, detail: 'The response doesn’t match the published format.' });
      const { id, result } = parsed.data;
      const nameCheck = RESULTS[result.code];
      return {
        checkId: id,
        result: nameCheck,
        reason: result.code,
        // The name may be shown only for a close match; otherwise it belongs to another customer.
        ...(nameCheck === 'close_match' && result.name !== undefined ? { name: result.name } : {}),
      };
    },
  };
}

async function postToModulr(settings: ModulrSettings, request: object): Promise<{ status: number; headers: Headers; body: unknown }> {
  const { apiUrl, clock } = settings;
  const date = new Date(toEpochMs(clock.now())).toUTCString();
  try {
    const response = await settings.fetch(`${apiUrl}/account-name-check`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...signRequest({ date, nonce: randomUUID() }, settings) },
      body: JSON.stringify(request),
      redirect: 'manual',
      signal: AbortSignal.timeout(settings.timeoutMs ?? 10_000),
    });
    return { status: response.status, headers: response.headers, body: parseJson(await response.text()) };
  } catch (error) {
    throw createError('unavailable', {}, error);
  }
}

function toError(status: number, headers: Headers, body: unknown): ProviderError {
  const first = modulrErrorsWire.safeParse(body).data;
  const facts = { status, ...(first ? { code: first.code, detail: first.message } : {}) };
  if (status === 401 || status === 403) return createError('unauthorized', facts);
  const retryAfterSeconds = parseRetryAfterSeconds(headers);
  if (status === 429) return createError('throttled', { ...facts, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) });
  return createError(status >= 400 && status < 500 && status !== 408 ? 'refused' : 'unavailable', facts);
}

function createError(failure: ProviderFailure, facts: Omit<ProviderErrorFacts, 'provider' | 'operation'>, cause?: unknown): ProviderError {
  return new ProviderError(failure, { provider: 'modulr', operation: 'account_name_check', ...facts }, cause);
}
