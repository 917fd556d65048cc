/** Defines how long the rows of an imported file are kept. */
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';

/** Long enough to look up any row. An import can be undone only for a day. */
export const ROW_RETENTION_DAYS = 30;
const DAY_MS = 86_400_000;

/** Returns null if the rows have already been deleted or the import hasn't ended. */
export function getRowsExpiry(endedAt: Instant | null, rowsRemovedAt: Instant | null): Instant | null {
  return endedAt === null || rowsRemovedAt !== null ? null : addMilliseconds(endedAt, ROW_RETENTION_DAYS * DAY_MS);
}

/** Returns the cut-off: rows of imports that ended before it are deleted. */
export function getRowsCutOff(now: Instant): Instant {
  return addMilliseconds(now, -ROW_RETENTION_DAYS * DAY_MS);
}
