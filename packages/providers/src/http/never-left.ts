/** Errors that only opening a connection can end with. */
const WITHOUT_CONNECTION = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);
/** Errors of opening one, which an open connection can end with too once its way is gone. */
const WITHOUT_A_WAY = new Set(['EHOSTUNREACH', 'ENETUNREACH']);

/**
 * Whether no byte of a failed request left: its name is unknown, nobody listens, or no way leads there. Only then is a write known not to have been
 * done; after any other failure it may have been.
 */
export function neverLeft(error: unknown): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const { code, syscall } = cause as NodeJS.ErrnoException;
    if (code === undefined) continue;
    if (WITHOUT_CONNECTION.has(code) || (WITHOUT_A_WAY.has(code) && syscall === 'connect')) return true;
  }
  return false;
}
