/** Lists the obligations that HMRC shows today, with their status. */
import type { HmrcContext } from './hmrc-context.ts';
import type { ObligationRecord, ReturnRecord } from './hmrc-records.ts';

/** An obligation with its return. The status changes only on the return's `fulfilledOn`. */
export type ObligationState = ObligationRecord & { readonly status: 'O' | 'F'; readonly filed?: ReturnRecord };

/** Returns the obligations that HMRC shows, oldest first: those whose period has begun. */
export function listObligationStates(context: HmrcContext, vrn: string): ObligationState[] {
  const today = context.clock.today();
  const returns = context.records.returns(vrn);
  return context.records
    .obligations(vrn)
    .list()
    .map(({ document }) => document)
    .filter(({ start }) => start <= today)
    .sort((a, b) => (a.start < b.start ? -1 : 1))
    .map((obligation) => {
      const filedReturn = returns.get(obligation.periodKey);
      if (!filedReturn) return { ...obligation, status: 'O' };
      return { ...obligation, status: filedReturn.fulfilledOn <= today ? 'F' : 'O', filed: filedReturn };
    });
}

/** Lists obligations with an unfiled late return. HMRC makes no repayments while one exists. */
export function listOverdueReturns(context: HmrcContext, vrn: string): ObligationState[] {
  const today = context.clock.today();
  return listObligationStates(context, vrn).filter(({ due, filed }) => !filed && due < today);
}
