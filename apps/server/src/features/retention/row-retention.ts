/** Defines how long the rows of an imported file are kept. */
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';

/** Long enough to look up any row. An import can be undone only for a day. */
export const ROW_RETENTION_DAYS = 30;
const DAY_MS = 86_400_000;

/** Returns null if the rows are already deleted or the import has not ended. */
export function getRowsExpiry(endedAt: Instant | null, rowsRemovedAt: Instant | null): Instant | null {
  return endedAt === null || rowsRemovedAt !== null ? null : addMilliseconds(endedAt, ROW_RETENTION_DAYS * DAY_MS);
}

/** Returns the cut-off: the rows of imports that ended earlier are deleted. */
export function getRowsCutOff(now: Instant): Instant {
  return addMilliseconds(now, -ROW_RETENTION_DAYS * DAY_MS);
}
