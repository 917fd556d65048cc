/**
 * What every log line of a request, and of the jobs that it enqueued, is found by. Held by the async context, so that no function has to pass
 * it on.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { trace } from '@opentelemetry/api';

export type RequestScope = {
  /** Undefined in a job that no request enqueued, such as a periodic one. */
  readonly requestId: string | undefined;
  /** The caller's address. It leaves the process only as a keyed hash (security-log.ts). */
  readonly getIp?: () => string;
  /** The signed-in person, once the session has been checked. */
  userId?: string;
  /** What acts for the person: an API key, or a program that they connected. */
  credential?: { readonly kind: 'api_key' | 'program'; readonly id: string };
  /** The code of the error that is the answer. */
  problemCode?: string;
};

const scopes = new AsyncLocalStorage<RequestScope>();

export function runInRequestScope<Result>(scope: RequestScope, work: () => Result): Result {
  return scopes.run(scope, work);
}

export function getRequestScope(): RequestScope | undefined {
  return scopes.getStore();
}

/** The id that the person sees in an error, for support and the log. */
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

/** Fields that each log line gets. */
export function describeScope(): { request_id?: string; trace_id?: string } {
  const requestId = getRequestId();
  const traceId = trace.getActiveSpan()?.spanContext().traceId;
  return { ...(requestId === undefined ? {} : { request_id: requestId }), ...(traceId === undefined ? {} : { trace_id: traceId }) };
}
