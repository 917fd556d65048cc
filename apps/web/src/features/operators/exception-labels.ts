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
  credit: { label: 'Unmatched payment', icon: 'help', tone: 'warning' },
  shortfall: { label: 'Shortfall', icon: 'warning', tone: 'error' },
  overdue: { label: 'Late from HMRC', icon: 'clock', tone: 'error' },
};

/** Describes what happened, without the company's name. */
export function describeException(exception: ReconciliationException): string {
  const amount = formatPounds(exception.amount_pence);
  switch (exception.kind) {
    case 'credit':
      return `${amount} received from ${exception.remitter ?? 'an unnamed sender'} with reference “${exception.reference ?? ''}”. It doesn’t match an advance, so we’re holding it for the trader.`;
    case 'shortfall':
      return `${amount} of the ${formatPounds(exception.refund_pence ?? exception.amount_pence)} refund is outstanding. The trader owes us this amount.`;
    case 'overdue':
      return `${amount} was due from HMRC${exception.expected_on === null ? '' : ` by ${formatDate(exception.expected_on)}`} but hasn’t arrived.`;
  }
}

/** Describes what matching a credit to this advance would do to the money. */
export function describeMatch({ applied_pence: applied, surplus_pence: surplus, missing_pence: missing, state }: MatchCandidate): string {
  const payment = `Puts ${formatPounds(applied)} towards ${state === 'awaiting_hmrc' ? 'HMRC’s repayment' : 'the shortfall'}`;
  if (missing > 0) return `${payment}. The trader will still owe ${formatPounds(missing)}.`;
  return surplus > 0
    ? `${payment} and settles the advance. The remaining ${formatPounds(surplus)} belongs to the trader.`
    : `${payment} and settles the advance.`;
}

export function describeCandidate(candidate: MatchCandidate): string {
  return `Refund of ${formatPounds(candidate.refund_pence)} for ${periodText(candidate.period_start, candidate.period_end)}`;
}
