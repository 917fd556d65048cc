/** Payments from our account that matched none of our orders when we found them and that operators haven't identified yet. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { reconciliationExceptionsApi, UNRECORDED_PAYOUT_KINDS } from '@portal/contract/reconciliation-exceptions.ts';
import type { Db } from '@portal/db/database.ts';
import { advances, companies, payouts, unrecordedPayouts } from '@portal/db/schema/schema.ts';
import { canTransition, type AdvanceState } from '@portal/domain/advances/advance-states.ts';
import { formatPounds, type Pence } from '@portal/domain/money.ts';
import { and, asc, eq, isNull } from '@portal/db/sql.ts';
import { NO_COMPANY } from '../audit/record-audit.ts';

export type PayoutResolution = (typeof UNRECORDED_PAYOUT_KINDS)[number];

type ReconciliationException = EndpointOutput<typeof reconciliationExceptionsApi.list>['matters'][number];
type UnrecordedPayout = Pick<
  ReconciliationException,
  'kind' | 'subject_id' | 'company_id' | 'company_name' | 'amount_pence' | 'since' | 'reference' | 'remitter' | 'problem' | 'advance_id'
> & { readonly resolutions: PayoutResolution[]; readonly notes: [] };

export async function listUnrecordedPayouts(db: Db): Promise<UnrecordedPayout[]> {
  const rows = await db
    .select({ found: unrecordedPayouts, companyName: companies.name, state: advances.state, ordered: payouts.amountPence })
    .from(unrecordedPayouts)
    .leftJoin(companies, eq(companies.id, unrecordedPayouts.companyId))
    .leftJoin(advances, and(eq(advances.companyId, unrecordedPayouts.companyId), eq(advances.id, unrecordedPayouts.advanceId)))
    .leftJoin(payouts, and(eq(payouts.companyId, unrecordedPayouts.companyId), eq(payouts.id, unrecordedPayouts.payoutId)))
    .where(isNull(unrecordedPayouts.resolution))
    .orderBy(asc(unrecordedPayouts.sentAt));
  return rows.map(({ found, companyName, state, ordered }) => ({
    kind: 'unrecorded_payout',
    subject_id: found.id,
    company_id: found.companyId,
    company_name: companyName ?? 'Not one of our companies',
    amount_pence: found.amountPence,
    since: found.sentAt,
    // The account that received the payment.
    remitter: found.accountHolder,
    reference: found.reference,
    problem: describePayout(found, state, ordered),
    advance_id: found.advanceId,
    resolutions: listResolutions(found, state as AdvanceState | null),
    notes: [],
  }));
}

type UnrecordedRow = typeof unrecordedPayouts.$inferSelect;

function describePayout(
  { payoutId, advanceId, companyId, amountPence }: UnrecordedRow,
  state: string | null,
  orderedAmount: Pence | null,
): string {
  if (payoutId !== null) {
    const isEqual = orderedAmount === amountPence;
    return `It had already been paid when we were about to send ${isEqual ? 'it' : `a payment of ${formatPounds(orderedAmount ?? amountPence)} with the same reference`}. We recorded it and paid nothing more${isEqual ? '' : ', and the difference has to be settled with the trader'}.`;
  }
  if (companyId === NO_COMPANY) return 'Its reference doesn’t match any company.';
  if (advanceId === null) return 'Its reference doesn’t match any refund.';
  return `Its reference matches a refund that is ${(state ?? '').replaceAll('_', ' ')} here. If we pay that refund, this payment counts as its payout and nothing more is paid.`;
}

/** Lists the possible resolutions, based on the state of the advance that the payment refers to. */
export function listResolutions({ payoutId, advanceId, companyId }: UnrecordedRow, state: AdvanceState | null): PayoutResolution[] {
  if (payoutId !== null) return ['confirmed'];
  if (companyId === NO_COMPANY) return ['other'];
  const isUnpaid = advanceId !== null && state !== null && listStatesUpToPaying(state) !== undefined;
  return [...(isUnpaid ? (['advance'] as const) : []), 'overpayment', 'other'];
}

/**
 * Lists the transitions that an accepted, unpaid advance goes through until its payment has been sent; undefined if it can't be paid now.
 */
export function listStatesUpToPaying(state: AdvanceState): AdvanceState[] | undefined {
  const reachableStates: readonly AdvanceState[] = ['in_review', 'approved', 'paying'];
  const start = reachableStates.findIndex(
    (next) => next !== state && canTransition(state, next) && (next !== 'in_review' || state === 'accepted'),
  );
  return start === -1 ? undefined : reachableStates.slice(start);
}
