/** The rule that applies to each step: a Direct Debit is ordered for at most what is missing. */
import type { SequenceView, ViewedDebit } from './sequence.ts';

/**
 * Returns one sentence for each Direct Debit that was ordered between the two views for more than its advance lacked. A step can order it
 * before or after money arrived, so both views count.
 */
export function verifyNewDebits(before: SequenceView, after: SequenceView): string[] {
  const knownIds = new Set(before.debits.map(({ id }) => id));
  return after.debits
    .filter(({ id }) => !knownIds.has(id))
    .flatMap((debit) => {
      const missing = Math.max(findMissing(before, after, debit), findMissing(after, after, debit));
      return debit.amount_pence <= missing ? [] : [`a Direct Debit of ${debit.amount_pence} was ordered, and ${missing} were missing`];
    });
}

function findMissing({ advances }: SequenceView, { cases }: SequenceView, debit: ViewedDebit): number {
  const advanceId = cases.find(({ id }) => id === debit.shortfall_id)?.advance_id;
  return advances.find(({ id }) => id === advanceId)?.outstanding_pence ?? 0;
}
