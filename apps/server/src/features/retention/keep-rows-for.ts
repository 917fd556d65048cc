/** How long the rows of an imported file are kept. */
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';

/** Longer than anyone needs to look up a row. An import can be undone only for a day. */
export const ROWS_KEPT_DAYS = 30;
const DAY_MS = 86_400_000;

/** Null if the rows are deleted already or the import has not ended. */
export function rowsUntil(endedAt: Instant | null, rowsRemovedAt: Instant | null): Instant | null {
  return endedAt === null || rowsRemovedAt !== null ? null : addMilliseconds(endedAt, ROWS_KEPT_DAYS * DAY_MS);
}

/** Imports that ended before this time have their rows deleted. */
export function rowsKeptSince(now: Instant): Instant {
  return addMilliseconds(now, -ROWS_KEPT_DAYS * DAY_MS);
}
