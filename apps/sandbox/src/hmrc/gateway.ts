/** HMRC's API gateway before every service: path, method, token, scope, rate (FACTS 3.1 step 1). Its exact order is not published. */
import { epochOf } from '@portal/domain/clock.ts';
import type { SimulatorCall } from '../simulator/simulator.ts';
import { json } from '../simulator/responses.ts';
import type { HmrcContext } from './hmrc-context.ts';

/** `user`: a person's grant; `application`: client credentials; `open`: no token. */
export type Access =
  | { readonly kind: 'user'; readonly scope: string }
  | { readonly kind: 'application'; readonly scope?: string }
  | { readonly kind: 'open' };

export type Caller = { readonly clientId?: string; readonly userId?: string };

export type ApiCall = SimulatorCall & { readonly caller: Caller };

/** One operation of the API. `operation` is its name for faults and for the list of calls. */
export type ApiRoute = {
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly access: Access;
  /** A check that the API itself makes before the token is looked at. */
  readonly refuseFirst?: (request: Request) => Response | undefined;
  /** How the API words a refused token, where not as the gateway does. */
  readonly reword?: (refusal: Response) => Response;
  readonly answer: (call: ApiCall) => Response | Promise<Response>;
};

export function fault(status: number, code: string, message: string, headers: Record<string, string> = {}): Response {
  return json(status, { code, message }, headers);
}

export function unknownPath(): Response {
  return fault(404, 'MATCHING_RESOURCE_NOT_FOUND', 'A resource with the name in the request can not be found in the API');
}

export function wrongMethod(): Response {
  return fault(405, 'METHOD_NOT_ALLOWED', 'The method in the request is not allowed for the resource');
}

/** The caller behind the token, or the refusal. */
export function authenticate(context: HmrcContext, request: Request, access: Access): Caller | Response {
  if (access.kind === 'open') return {};
  const header = request.headers.get('authorization');
  if (!header) return fault(401, 'MISSING_CREDENTIALS', 'Authentication information is not provided');
  const token = /^Bearer (\S+)$/i.exec(header)?.[1] ?? '';
  const known = context.records.accessTokens.get(token);
  if (!known || epochOf(known.expiresAt) <= epochOf(context.clock.now())) {
    return fault(401, 'INVALID_CREDENTIALS', 'Invalid Authentication information provided');
  }
  const grant = known.grantId === undefined ? undefined : context.records.grants.get(known.grantId);
  const isUserToken = known.grantId !== undefined;
  if (isUserToken && (!grant || grant.revoked || grant.accessToken !== token)) {
    return fault(401, 'INVALID_CREDENTIALS', 'Invalid Authentication information provided');
  }
  if (isUserToken !== (access.kind === 'user')) {
    return fault(401, 'INCORRECT_ACCESS_TOKEN_TYPE', 'The access token type used is not supported when invoking the API');
  }
  if (access.scope !== undefined && !known.scopes.includes(access.scope)) {
    const message = 'Cannot access the required resource. Ensure this token has all the required scopes.';
    return fault(403, 'INVALID_SCOPE', message);
  }
  return { clientId: known.clientId, ...(grant ? { userId: grant.userId } : {}) };
}

export type Throttle = { admit(clientId: string): boolean };

/** The setting by which the control page lifts the limit. */
export const REQUESTS_PER_SECOND = 'requests_per_second';

/**
 * So many requests in any one second of real time: the sandbox clock may stand still or leap, the callers' haste is real.
 * The double is one process, and what was admitted a second ago does not matter after a restart, so memory suffices.
 */
export function openThrottle(requestsPerSecond: () => number): Throttle {
  const admitted = new Map<string, number[]>();
  return {
    admit: (clientId) => {
      const nowMs = performance.now();
      const recent = (admitted.get(clientId) ?? []).filter((atMs) => atMs > nowMs - 1000);
      const isAdmitted = recent.length < requestsPerSecond();
      admitted.set(clientId, isAdmitted ? [...recent, nowMs] : recent);
      return isAdmitted;
    },
  };
}

/** No Retry-After: HMRC documents none. */
export function throttled(): Response {
  return fault(429, 'MESSAGE_THROTTLED_OUT', 'The request for the API is throttled as you have exceeded your quota.');
}

/** Whether Accept asks for exactly this version in JSON. */
export function acceptsVersion(request: Request, version: string): boolean {
  return /application\/vnd\.hmrc\.(\d\.\d)\+json/.exec(request.headers.get('accept') ?? '')?.[1] === version;
}

export function wrongAccept(): Response {
  return fault(406, 'ACCEPT_HEADER_INVALID', 'The accept header is missing or invalid');
}
