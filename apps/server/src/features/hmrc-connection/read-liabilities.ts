import { hmrcObservations } from '@portal/db/schema/schema.ts';
import { addDays } from '@portal/domain/plain-date.ts';
import type { HmrcCall } from '@portal/providers/hmrc/hmrc-types.ts';
import type { AppDeps } from '../../app-deps.ts';

/** HMRC limits the date range to 364 days. */
export const MAX_RANGE_DAYS = 364;

/** Stores the charges of the last year: the amounts owed by the trader and by HMRC. */
export async function fetchLiabilities(deps: AppDeps, companyId: string, call: HmrcCall, vrn: string): Promise<void> {
  const today = deps.clock.today();
  const liabilities = await deps.hmrc.listLiabilities(call, vrn, { from: addDays(today, -MAX_RANGE_DAYS), to: today });
  await saveObservation(deps, companyId, 'liabilities', liabilities);
}

/** Stores HMRC's response unchanged. The newest of each kind is the current one. */
export async function saveObservation(
  deps: AppDeps,
  companyId: string,
  kind: 'liabilities' | 'payments' | 'information',
  body: unknown,
): Promise<void> {
  await deps.database.db.insert(hmrcObservations).values({ companyId, kind, takenAt: deps.clock.now(), body }).onConflictDoNothing();
}
