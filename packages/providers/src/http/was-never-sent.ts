/** A call that we did not send. `throttled`: because other calls had to go first. */
export class CallNotSentError extends Error {
  readonly failure: 'throttled' | 'unavailable';

  constructor(failure: 'throttled' | 'unavailable', reason: string, cause?: unknown) {
    super(`The call was not sent: ${reason}`, cause === undefined ? undefined : { cause });
    this.name = 'CallNotSentError';
    this.failure = failure;
  }
}

/** Errors that occur only while connecting. */
const CONNECTION_ERROR_CODES = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);
/** Errors that occur while connecting, but also on an open connection that loses its route. */
const ROUTE_ERROR_CODES = new Set(['EHOSTUNREACH', 'ENETUNREACH']);

/**
 * Returns whether no byte of a failed request was sent: unknown host, connection refused or no route. Only then is it certain that a write
 * did not happen.
 */
export function wasNeverSent(error: unknown): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const { code, syscall } = cause as NodeJS.ErrnoException;
    if (code === undefined) continue;
    if (CONNECTION_ERROR_CODES.has(code) || (ROUTE_ERROR_CODES.has(code) && syscall === 'connect')) return true;
  }
  return false;
}
