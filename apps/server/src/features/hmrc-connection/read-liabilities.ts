import { advances, hmrcObservations } from '@portal/db/schema/schema.ts';
import { UNPAID_STATES } from '@portal/domain/advances/advance-states.ts';
import { toLondonDate } from '@portal/domain/clock.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import type { HmrcCall, Liability } from '@portal/providers/hmrc/hmrc-types.ts';
import { and, desc, eq, inArray, lt } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';

/** HMRC limits the date range to 364 days. */
export const MAX_RANGE_DAYS = 364;

/** HMRC can assess VAT for four years (VAT Act 1994 s77(1)), so most older debts are within them. Each year is a call. */
const OLDER_YEARS = 3;

/**
 * Stores the charges of the last year: the amounts owed by the trader and by HMRC. Also the older ones, once a day, and each time while we
 * offer or may pay for a refund that is among them: HMRC may have repaid it since this morning.
 */
export async function fetchLiabilities(deps: AppDeps, companyId: string, call: HmrcCall, vrn: string): Promise<void> {
  const today = deps.clock.today();
  const from = addDays(today, -MAX_RANGE_DAYS);
  const liabilities = await deps.hmrc.listLiabilities(call, vrn, { from, to: today });
  if (!(await wereOlderRead(deps, companyId)) || (await isOlderRefundOpen(deps, companyId, from)))
    await fetchOlderLiabilities(deps, companyId, call, vrn, addDays(from, -1));
  await saveObservation(deps, companyId, 'liabilities', liabilities);
}

async function wereOlderRead({ database, clock }: AppDeps, companyId: string): Promise<boolean> {
  const [newest] = await database.db
    .select({ at: hmrcObservations.takenAt })
    .from(hmrcObservations)
    .where(and(eq(hmrcObservations.companyId, companyId), eq(hmrcObservations.kind, 'older_liabilities')))
    .orderBy(desc(hmrcObservations.takenAt))
    .limit(1);
  // Tomorrow, a period may have left the last year.
  return newest !== undefined && toLondonDate(newest.at) === clock.today();
}

async function isOlderRefundOpen({ database }: AppDeps, companyId: string, from: PlainDate): Promise<boolean> {
  const [open] = await database.db
    .select({ id: advances.id })
    .from(advances)
    .where(and(eq(advances.companyId, companyId), inArray(advances.state, ['quoted', ...UNPAID_STATES]), lt(advances.periodEnd, from)))
    .limit(1);
  return open !== undefined;
}

/** HMRC sets a refund off against debts of any age, and lists a charge only for the year in which its period ended. */
async function fetchOlderLiabilities(deps: AppDeps, companyId: string, call: HmrcCall, vrn: string, lastDay: PlainDate): Promise<void> {
  const older: Liability[] = [];
  for (let year = 0; year < OLDER_YEARS; year += 1) {
    const to = addDays(lastDay, -year * (MAX_RANGE_DAYS + 1));
    const from = addDays(to, -MAX_RANGE_DAYS);
    older.push(...selectChargesOfRange(await deps.hmrc.listLiabilities(call, vrn, { from, to }), { from, to }));
  }
  await saveObservation(deps, companyId, 'older_liabilities', older);
}

/**
 * Selects the charges whose period ended within the range. Every answer has the charges without a period, and according to HMRC's source
 * may have those of all earlier periods (docs/reference/hmrc.md section 3.7). Each must count once.
 */
export function selectChargesOfRange(charges: readonly Liability[], { from, to }: { from: PlainDate; to: PlainDate }): Liability[] {
  return charges.filter(({ period }) => period !== undefined && period.end >= from && period.end <= to);
}

/** Stores HMRC's response unchanged. The newest of each kind is the current one. */
export async function saveObservation(
  deps: AppDeps,
  companyId: string,
  kind: (typeof hmrcObservations.$inferInsert)['kind'],
  body: unknown,
): Promise<void> {
  await deps.database.db.insert(hmrcObservations).values({ companyId, kind, takenAt: deps.clock.now(), body }).onConflictDoNothing();
}
