/** Labels and texts for reconciliation exceptions. */
import type { operatorMattersApi } from '@portal/contract/operator-matters.ts';
import type { OutputOf } from '@portal/contract/endpoint.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import type { ComponentProps } from 'react';
import { periodText } from '../../lib/period-text.ts';
import type { StateChip } from '../../ui/state-chip.tsx';

export type Matter = OutputOf<typeof operatorMattersApi.list>['matters'][number];
export type Candidate = Matter['candidates'][number];

export const MATTER_CHIPS: Readonly<Record<Matter['kind'], ComponentProps<typeof StateChip>>> = {
  credit: { label: 'Money matched to nothing', icon: 'help', tone: 'warning' },
  shortfall: { label: 'Shortfall', icon: 'warning', tone: 'error' },
  overdue: { label: 'HMRC is late', icon: 'clock', tone: 'error' },
};

/** Describes what happened in a sentence, without the company's name. */
export function matterText(matter: Matter): string {
  const amount = formatPounds(matter.amount_pence);
  switch (matter.kind) {
    case 'credit':
      return `${amount} came from ${matter.remitter ?? 'somebody unnamed'} with the reference “${matter.reference ?? ''}” and repaid no advance. We keep it as the trader’s.`;
    case 'shortfall':
      return `${amount} of the refund of ${formatPounds(matter.refund_pence ?? matter.amount_pence)} has not come. The trader owes it to us.`;
    case 'overdue':
      return `${amount} was expected from HMRC${matter.expected_on === null ? '' : ` by ${formatDate(matter.expected_on)}`} and has not come.`;
  }
}

/** Describes what matching a credit to this advance would do to the money. */
export function matchText({ applied_pence: applied, surplus_pence: surplus, missing_pence: missing, state }: Candidate): string {
  const pays = `${formatPounds(applied)} pays ${state === 'awaiting_hmrc' ? 'HMRC’s repayment' : 'the shortfall'}`;
  if (missing > 0) return `${pays}; ${formatPounds(missing)} is still missing and due from the trader.`;
  return surplus > 0 ? `${pays}, which settles it; ${formatPounds(surplus)} stays the trader’s.` : `${pays}, which settles it.`;
}

export function candidateText(candidate: Candidate): string {
  return `The refund of ${formatPounds(candidate.refund_pence)} for ${periodText(candidate.period_start, candidate.period_end)}`;
}
