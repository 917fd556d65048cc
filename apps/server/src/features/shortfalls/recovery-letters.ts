/** Letters about a written-off difference that was paid after all. */
import type { Tx } from '@portal/db/database.ts';
import { formatPounds, type Pence } from '@portal/domain/money.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { AdvanceRow } from '../advances/transition-advance.ts';
import { sendLetter } from './shortfall-letters.ts';
import type { ShortfallRow } from './shortfall-record.ts';

export function sendRecovered(
  deps: AppDeps,
  tx: Tx,
  advance: AdvanceRow,
  shortfall: ShortfallRow,
  { recovered, left }: { readonly recovered: Pence; readonly left: Pence },
): Promise<void> {
  const amount = formatPounds(recovered);
  const rest = left > 0 ? `${formatPounds(left)} stays written off, and we won’t ask you for it.` : 'Your early refund is settled.';
  return sendLetter(deps, tx, advance, shortfall, {
    heading: `We’ve received ${amount} that we had written off`,
    preheader: left > 0 ? `${formatPounds(left)} stays written off.` : 'Your early refund is settled.',
    paragraphs: [
      `A payment has reached your collection account for the refund that we bought. We had written off the difference, and ${amount} of it is now paid. ${rest}`,
      'You don’t need to do anything. Your statement of account shows the payment. If you think that it was meant for something else, reply to this email.',
    ],
    facts: [
      ['Received', amount],
      ['Still written off', formatPounds(left)],
    ],
  });
}

export function sendWriteOffRestored(deps: AppDeps, tx: Tx, advance: AdvanceRow, shortfall: ShortfallRow, amount: Pence): Promise<void> {
  return sendLetter(deps, tx, advance, shortfall, {
    heading: 'We’ve corrected a payment',
    preheader: 'You don’t owe us anything for it.',
    paragraphs: [
      `We had counted ${formatPounds(amount)} as paid for the difference that we wrote off. That payment wasn’t for it, so we’ve corrected this. The difference stays written off, and we won’t ask you for it.`,
    ],
    facts: [['Written off again', formatPounds(amount)]],
  });
}
