/** How long the rows of an imported file can be looked up. */
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';

/** Longer than anybody asks what became of a line; a file's undoing ends after a day. */
export const ROWS_KEPT_DAYS = 30;
const DAY_MS = 86_400_000;

/** Null where the rows are gone, or the import is not over. */
export function rowsUntil(endedAt: Instant | null, rowsRemovedAt: Instant | null): Instant | null {
  return endedAt === null || rowsRemovedAt !== null ? null : addMilliseconds(endedAt, ROWS_KEPT_DAYS * DAY_MS);
}

/** Imports that ended before this have their rows removed. */
export function rowsKeptSince(now: Instant): Instant {
  return addMilliseconds(now, -ROWS_KEPT_DAYS * DAY_MS);
}
