/**
 * Reads everything that HMRC holds for a trader: obligations, filed returns, charges, payments and registration. Runs for a user's request,
 * with that user's headers.
 */
import { randomUUID } from 'node:crypto';
import type { dashboardApi } from '@portal/contract/dashboard.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { Db } from '@portal/db/database.ts';
import { findDatabaseOutage } from '@portal/db/database-outage.ts';
import { hmrcConnections, hmrcReturns, obligations } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import type { HmrcCall, Obligation } from '@portal/providers/hmrc/hmrc-types.ts';
import type { CallOptions } from '@portal/providers/http/rate-limit-fetch.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import { and, desc, eq, isNull, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { detectShortfalls } from '../shortfalls/detect-shortfalls.ts';
import { saveFoundReturns, toBoxColumns } from '../vat-returns/found-returns.ts';
import { computeMissingFigures } from '../vat-returns/period-figures.ts';
import { saveObservation, fetchLiabilities, MAX_RANGE_DAYS } from './read-liabilities.ts';
import { withTraderAccessToken, type ActingUser } from './with-trader-access-token.ts';

/** The number of past returns read for the comparison with the last eight periods (docs/product/decisions.md). */
const PAST_RETURN_COUNT = 8;

type RefreshOutcome = EndpointOutput<typeof dashboardApi.refresh>;

/** Never throws for a failure at HMRC: the stored figures and their date stay, and the result says why they are not newer. */
export async function refreshHmrc(
  deps: AppDeps,
  companyId: string,
  user: ActingUser,
  options: Pick<CallOptions, 'priority'> = {},
): Promise<RefreshOutcome> {
  try {
    await withTraderAccessToken(deps, companyId, user, (call, vrn) => fetchAll(deps, companyId, call, vrn), options);
    return { status: 'refreshed', message: 'Updated from HMRC just now.' };
  } catch (error) {
    if (error instanceof AppError && error.code === 'hmrc.not_connected') return { status: 'lapsed', message: error.message };
    // The rate limiter for HMRC calls uses our own database, so an outage of our database would look like one of HMRC's.
    if (!(error instanceof ProviderError) || findDatabaseOutage(error) !== undefined) throw error;
    deps.logger.warn({ err: error, companyId }, 'HMRC could not be read');
    if (error.failure === 'refused')
      return {
        status: 'unavailable',
        message: `HMRC rejected our request: ${error.facts.detail ?? error.facts.code ?? 'no reason given'}`,
      };
    return { status: 'unavailable', message: 'We couldn’t reach HMRC. Your existing figures are unchanged. Try again in a few minutes.' };
  }
}

async function fetchAll(deps: AppDeps, companyId: string, call: HmrcCall, vrn: string): Promise<void> {
  const { db } = deps.database;
  const today = deps.clock.today();
  const fetchedObligations = await fetchObligations(deps, call, vrn, today);
  await storeObligations(deps, companyId, fetchedObligations);
  const openObligations = fetchedObligations
    .filter(({ status }) => status === 'open')
    .map(({ periodKey, start }) => ({ periodKey, start }));
  await saveObservation(deps, companyId, 'open_obligations', openObligations);
  await fetchLiabilities(deps, companyId, call, vrn);
  const payments = await deps.hmrc.listPayments(call, vrn, { from: addDays(today, -MAX_RANGE_DAYS), to: today });
  await saveObservation(deps, companyId, 'payments', payments);
  await saveObservation(deps, companyId, 'information', (await deps.hmrc.findVatInformation(call, vrn)) ?? {});
  await fetchMissingReturns(deps, companyId, call, vrn);
  await saveFoundReturns(deps, companyId, vrn);
  await computeMissingFigures(db, companyId);
  // Only a complete read counts as fresh. After a partial one, the next visit must read again.
  await detectShortfalls(deps, companyId);
  await db.update(hmrcConnections).set({ figuresAsOf: deps.clock.now() }).where(eq(hmrcConnections.companyId, companyId));
}

/** Open obligations don't need dates. Fulfilled ones are read year by year, and the responses may overlap. */
async function fetchObligations(deps: AppDeps, call: HmrcCall, vrn: string, today: PlainDate): Promise<Obligation[]> {
  const lastYear = addDays(today, -MAX_RANGE_DAYS);
  const lists = [
    await deps.hmrc.listObligations(call, vrn, { status: 'open' }),
    await deps.hmrc.listObligations(call, vrn, { from: lastYear, to: today, status: 'fulfilled' }),
    await deps.hmrc.listObligations(call, vrn, { from: addDays(lastYear, -MAX_RANGE_DAYS), to: lastYear, status: 'fulfilled' }),
  ];
  const byPeriod = new Map<string, Obligation>();
  for (const obligation of lists.flat()) byPeriod.set(`${obligation.periodKey}:${obligation.start}`, obligation);
  return [...byPeriod.values()];
}

async function storeObligations(deps: AppDeps, companyId: string, fetchedObligations: readonly Obligation[]): Promise<void> {
  if (fetchedObligations.length === 0) return;
  const rows = fetchedObligations.map(({ periodKey, start, end, due, status, received }) => {
    const hmrcColumns = { periodKey, periodStart: start, periodEnd: end, dueOn: due, status, receivedOn: received ?? null };
    return { companyId, id: randomUUID(), ...hmrcColumns };
  });
  await deps.database.db
    .insert(obligations)
    .values(rows)
    .onConflictDoUpdate({
      target: [obligations.companyId, obligations.periodKey, obligations.periodStart],
      set: {
        periodEnd: sql`excluded.period_end`,
        dueOn: sql`excluded.due_on`,
        status: sql`excluded.status`,
        receivedOn: sql`excluded.received_on`,
      },
    });
}

async function fetchMissingReturns(deps: AppDeps, companyId: string, call: HmrcCall, vrn: string): Promise<void> {
  const missingReturns = await listReturnsToFetch(deps.database.db, companyId);
  for (const obligation of missingReturns) {
    const hmrcReturn = await deps.hmrc.findReturn(call, vrn, obligation.periodKey);
    // HMRC lists returns from before the trader joined MTD as fulfilled but does not show them, so there is nothing to store.
    if (!hmrcReturn) continue;
    await deps.database.db
      .insert(hmrcReturns)
      .values({ companyId, obligationId: obligation.id, readAt: deps.clock.now(), ...toBoxColumns(hmrcReturn) })
      .onConflictDoNothing();
  }
}

function listReturnsToFetch(db: Db, companyId: string): Promise<{ id: string; periodKey: string }[]> {
  return db
    .select({ id: obligations.id, periodKey: obligations.periodKey })
    .from(obligations)
    .leftJoin(hmrcReturns, and(eq(hmrcReturns.companyId, obligations.companyId), eq(hmrcReturns.obligationId, obligations.id)))
    .where(and(eq(obligations.companyId, companyId), eq(obligations.status, 'fulfilled'), isNull(hmrcReturns.obligationId)))
    .orderBy(desc(obligations.periodEnd))
    .limit(PAST_RETURN_COUNT);
}
