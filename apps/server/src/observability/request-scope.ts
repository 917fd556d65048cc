/**
 * The fields that identify every log line of a request and of the jobs it enqueued. Kept in the async context, so that functions don't need
 * to pass them on.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { trace } from '@opentelemetry/api';

export type RequestScope = {
  /** Undefined in a job that wasn't enqueued by a request, such as a periodic one. */
  readonly requestId: string | undefined;
  /** The caller's IP address. It leaves the process only as a keyed hash (security-log.ts). */
  readonly getIp?: () => string;
  /** The signed-in user, once the session has been checked. */
  userId?: string;
  /** The credential that acts for the user: an API key, or an app that they connected. */
  credential?: { readonly kind: 'api_key' | 'program'; readonly id: string };
  /** The error code in the response. */
  problemCode?: string;
};

const scopes = new AsyncLocalStorage<RequestScope>();

export function runInRequestScope<Result>(scope: RequestScope, work: () => Result): Result {
  return scopes.run(scope, work);
}

export function getRequestScope(): RequestScope | undefined {
  return scopes.getStore();
}

/** Returns the id shown to the user with an error, for support and the log. */
export function getRequestId(): string | undefined {
  return scopes.getStore()?.requestId;
}

export function setRequestUser(userId: string): void {
  const scope = scopes.getStore();
  if (scope) scope.userId = userId;
}

export function setRequestCredential(credential: NonNullable<RequestScope['credential']>): void {
  const scope = scopes.getStore();
  if (scope) scope.credential = credential;
}

/** Returns the fields added to each log line. */
export function describeScope(): { request_id?: string; trace_id?: string } {
  const requestId = getRequestId();
  const traceId = trace.getActiveSpan()?.spanContext().traceId;
  return { ...(requestId === undefined ? {} : { request_id: requestId }), ...(traceId === undefined ? {} : { trace_id: traceId }) };
}
