/**
 * HMRC's API gateway, which checks token, scope and rate for every service (docs/reference/hmrc.md section 3.1). HMRC does not publish the
 * exact order.
 */
import { toEpochMs } from '@portal/domain/clock.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createApiError, HmrcApiError } from './hmrc-api-error.ts';
import type { HmrcContext } from './hmrc-context.ts';

/** `user`: a user has consented; `application`: client credentials; `open`: no token. */
export type RouteAccess =
  | { readonly kind: 'user'; readonly scope: string }
  | { readonly kind: 'application'; readonly scope?: string }
  | { readonly kind: 'open' };

export type Caller = { readonly clientId?: string; readonly userId?: string };

export type HmrcRoute = { Params: Readonly<Record<string, string>> };
export type HmrcRequest = FastifyRequest<HmrcRoute>;
export type HmrcHandler = (request: HmrcRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>;

/** Returns the caller that the token identifies, or the error that rejects the token. */
export function authenticate(context: HmrcContext, request: FastifyRequest, access: RouteAccess): Caller | HmrcApiError {
  if (access.kind === 'open') return {};
  const header = request.headers.authorization;
  if (!header) return createApiError(401, 'MISSING_CREDENTIALS', 'Authentication information is not provided');
  const token = /^Bearer (\S+)$/i.exec(header)?.[1] ?? '';
  const tokenRecord = context.records.accessTokens.get(token);
  if (!tokenRecord || toEpochMs(tokenRecord.expiresAt) <= toEpochMs(context.clock.now())) {
    return createApiError(401, 'INVALID_CREDENTIALS', 'Invalid Authentication information provided');
  }
  const grant = tokenRecord.grantId === undefined ? undefined : context.records.grants.get(tokenRecord.grantId);
  const isUserToken = tokenRecord.grantId !== undefined;
  if (isUserToken && (!grant || grant.revoked || grant.accessToken !== token)) {
    return createApiError(401, 'INVALID_CREDENTIALS', 'Invalid Authentication information provided');
  }
  if (isUserToken !== (access.kind === 'user')) {
    return createApiError(401, 'INCORRECT_ACCESS_TOKEN_TYPE', 'The access token type used is not supported when invoking the API');
  }
  if (access.scope !== undefined && !tokenRecord.scopes.includes(access.scope)) {
    const message = 'Cannot access the required resource. Ensure this token has all the required scopes.';
    return createApiError(403, 'INVALID_SCOPE', message);
  }
  return { clientId: tokenRecord.clientId, ...(grant ? { userId: grant.userId } : {}) };
}

/** Name of the request decorator that holds the result of `authenticate`. */
export const CALLER_KEY = 'hmrcCaller';

export function getCaller(request: HmrcRequest): Caller {
  const caller = request.getDecorator<Caller | HmrcApiError>(CALLER_KEY);
  if (caller instanceof HmrcApiError) throw caller;
  return caller;
}

export type Throttle = { admit(clientId: string): boolean };

/** Name of the setting that the control page uses to raise the limit. */
export const REQUESTS_PER_SECOND = 'requests_per_second';

/**
 * Limits the requests in any one second of real time, because callers run in real time while the sandbox clock may stop or jump. Only one
 * process runs the simulator, and losing the last second at a restart is harmless, so memory is enough.
 */
export function openThrottle(requestsPerSecond: () => number): Throttle {
  const recentCalls = new Map<string, number[]>();
  return {
    admit: (clientId) => {
      const nowMs = performance.now();
      const recentTimes = (recentCalls.get(clientId) ?? []).filter((atMs) => atMs > nowMs - 1000);
      const isAdmitted = recentTimes.length < requestsPerSecond();
      recentCalls.set(clientId, isAdmitted ? [...recentTimes, nowMs] : recentTimes);
      return isAdmitted;
    },
  };
}

/** HMRC doesn't document a Retry-After header, so none is sent. */
export function createThrottledError(): HmrcApiError {
  return createApiError(429, 'MESSAGE_THROTTLED_OUT', 'The request for the API is throttled as you have exceeded your quota.');
}

/** Rejects an Accept header for a version other than this one or a format other than JSON. */
export function assertAccepts(request: HmrcRequest, version: string): void {
  const requestedVersion = /application\/vnd\.hmrc\.(\d\.\d)\+json/.exec(request.headers.accept ?? '')?.[1];
  if (requestedVersion !== version) throw createApiError(406, 'ACCEPT_HEADER_INVALID', 'The accept header is missing or invalid');
}

/** Returns the Gov-Test-Scenario value, which requests a canned response instead of the records. */
export function findTestScenario(request: HmrcRequest): string | undefined {
  const scenario = request.headers['gov-test-scenario'];
  return Array.isArray(scenario) ? scenario.join(', ') : scenario;
}
