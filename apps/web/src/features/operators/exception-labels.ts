/** Labels and texts for reconciliation exceptions. */
import type { reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import type { ComponentProps } from 'react';
import { periodText } from '../../lib/period-text.ts';
import type { StateChip } from '../../ui/state-chip.tsx';

export type ReconciliationException = EndpointOutput<typeof reconciliationExceptionsApi.list>['matters'][number];
export type MatchCandidate = ReconciliationException['candidates'][number];

export const EXCEPTION_CHIPS: Readonly<Record<ReconciliationException['kind'], ComponentProps<typeof StateChip>>> = {
  credit: { label: 'Money matched to nothing', icon: 'help', tone: 'warning' },
  shortfall: { label: 'Shortfall', icon: 'warning', tone: 'error' },
  overdue: { label: 'HMRC is late', icon: 'clock', tone: 'error' },
};

/** Describes what happened in a sentence, without the company's name. */
export function describeException(exception: ReconciliationException): string {
  const amount = formatPounds(exception.amount_pence);
  switch (exception.kind) {
    case 'credit':
      return `${amount} came from ${exception.remitter ?? 'somebody unnamed'} with the reference “${exception.reference ?? ''}” and repaid no advance. We keep it as the trader’s.`;
    case 'shortfall':
      return `${amount} of the refund of ${formatPounds(exception.refund_pence ?? exception.amount_pence)} has not come. The trader owes it to us.`;
    case 'overdue':
      return `${amount} was expected from HMRC${exception.expected_on === null ? '' : ` by ${formatDate(exception.expected_on)}`} and has not come.`;
  }
}

/** Describes what matching a credit to this advance would do to the money. */
export function describeMatch({ applied_pence: applied, surplus_pence: surplus, missing_pence: missing, state }: MatchCandidate): string {
  const pays = `${formatPounds(applied)} pays ${state === 'awaiting_hmrc' ? 'HMRC’s repayment' : 'the shortfall'}`;
  if (missing > 0) return `${pays}; ${formatPounds(missing)} is still missing and due from the trader.`;
  return surplus > 0 ? `${pays}, which settles it; ${formatPounds(surplus)} stays the trader’s.` : `${pays}, which settles it.`;
}

export function describeCandidate(candidate: MatchCandidate): string {
  return `The refund of ${formatPounds(candidate.refund_pence)} for ${periodText(candidate.period_start, candidate.period_end)}`;
}
