import type { Tx } from '@portal/db/database.ts';
import { screenings, suspicions, type ScreenedSubject } from '@portal/db/schema/schema.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import { and, desc, eq, isNull, ne, or } from '@portal/db/sql.ts';
import { listSubjects, toSubjectKey } from './list-subjects.ts';

/** A company is screened before its first payout, and then daily while we are owed money. */
export const SCREENING_VALID_MS = 86_400_000;

/**
 * The trader and every operator see exactly this text, whether the screening is still pending, failed or found something (Proceeds of Crime
 * Act 2002 s333A).
 */
const NEUTRAL_HOLD_MESSAGE = 'We’re completing our checks before we pay. You don’t need to do anything.';

export type ScreeningHold = { readonly text: string; readonly needsScreening: boolean };

/**
 * Returns undefined if the company and its people, as we know them now, were screened within the last day and every suspicion has been
 * cleared.
 */
export async function findScreeningHold(tx: Tx, companyId: string, now: Instant): Promise<ScreeningHold | undefined> {
  const [newestScreening] = await tx
    .select({ at: screenings.screenedAt, subjects: screenings.subjects })
    .from(screenings)
    .where(eq(screenings.companyId, companyId))
    .orderBy(desc(screenings.screenedAt))
    .limit(1);
  const isRecent = newestScreening !== undefined && addMilliseconds(newestScreening.at, SCREENING_VALID_MS) > now;
  const needsScreening = !isRecent || (await hasUnscreenedSubject(tx, companyId, newestScreening.subjects));
  if (needsScreening) return { text: NEUTRAL_HOLD_MESSAGE, needsScreening };
  const [open] = await tx
    .select({ id: suspicions.id })
    .from(suspicions)
    .where(and(eq(suspicions.companyId, companyId), or(isNull(suspicions.decision), ne(suspicions.decision, 'cleared'))))
    .limit(1);
  return open && { text: NEUTRAL_HOLD_MESSAGE, needsScreening };
}

/** An owner may have been verified, or an officer appointed, since the screening. */
async function hasUnscreenedSubject(tx: Tx, companyId: string, screenedSubjects: readonly ScreenedSubject[]): Promise<boolean> {
  const screenedKeys = new Set(screenedSubjects.map(toSubjectKey));
  return (await listSubjects(tx, companyId)).some((subject) => !screenedKeys.has(toSubjectKey(subject)));
}
