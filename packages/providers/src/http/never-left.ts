/** Errors that occur only while connecting. */
const WITHOUT_CONNECTION = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);
/** Errors that occur while connecting, but also on an open connection that loses its route. */
const WITHOUT_A_WAY = new Set(['EHOSTUNREACH', 'ENETUNREACH']);

/**
 * Whether no byte of a failed request was sent: unknown host, connection refused or no route. Only then did a write certainly
 * not happen; after any other failure it may have happened.
 */
export function neverLeft(error: unknown): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const { code, syscall } = cause as NodeJS.ErrnoException;
    if (code === undefined) continue;
    if (WITHOUT_CONNECTION.has(code) || (WITHOUT_A_WAY.has(code) && syscall === 'connect')) return true;
  }
  return false;
}
