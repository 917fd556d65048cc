/**
 * Outages end on their own or when an operator acts. They aren’t bugs in the request, which gets a 503 with the time to wait before
 * retrying.
 */
import { findDatabaseOutage, type DatabaseOutage } from '@portal/db/database-outage.ts';
import { AppError } from '@portal/domain/app-error.ts';

/** Sent to clients and proxies in the Retry-After header (RFC 9110, section 10.2.3). */
export const RETRY_AFTER_SECONDS = 15;

/** A request may have committed part of its work before the database was lost, so the message doesn't say that nothing has changed. */
const CANNOT_REACH =
  'We can’t reach our database at the moment. What you saved earlier is safe. Try again in a minute. If you were saving something, check whether it was saved first.';
const CANNOT_SAVE = 'We can’t save anything at the moment. What you saved earlier is safe. Try again in a few minutes.';
const MESSAGES: Readonly<Record<DatabaseOutage, string>> = {
  unreachable: CANNOT_REACH,
  busy: CANNOT_REACH,
  full: CANNOT_SAVE,
  read_only: CANNOT_SAVE,
};

/** No space for an upload, or no files or connections left for this process (errno(3)). */
const SYSTEM_CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE']);

/** Returns undefined for any other error. */
export function toOutageError(error: unknown): AppError | undefined {
  const outage = findDatabaseOutage(error);
  if (outage !== undefined) return new AppError('unavailable', `database.${outage}`, MESSAGES[outage], undefined, error);
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (!('code' in cause && SYSTEM_CODES.has(cause.code))) continue;
    return new AppError('unavailable', 'server.out_of_resources', CANNOT_SAVE, undefined, error);
  }
  return undefined;
}
