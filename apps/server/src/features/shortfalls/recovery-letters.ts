/** Letters about a written-off difference that was paid after all, and about a payment of ours that the bank returned. */
import type { Tx } from '@portal/db/database.ts';
import { formatPounds, ZERO, type Pence } from '@portal/domain/money.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { AdvanceRow } from '../advances/transition-advance.ts';
import { sendLetter } from './shortfall-letters.ts';
import type { ShortfallRow } from './shortfall-record.ts';

export function sendRecoveredLetter(
  deps: AppDeps,
  tx: Tx,
  advance: AdvanceRow,
  shortfall: ShortfallRow,
  { recovered, left }: { readonly recovered: Pence; readonly left: Pence },
): Promise<void> {
  const amount = formatPounds(recovered);
  const remainingText =
    left > 0 ? `${formatPounds(left)} remains written off, and we won’t ask you for it.` : 'Your early refund is settled.';
  return sendLetter(deps, tx, advance, shortfall, {
    heading: `We’ve received ${amount} that we had written off`,
    preheader: left > 0 ? `${formatPounds(left)} remains written off.` : 'Your early refund is settled.',
    paragraphs: [
      `A payment has reached your collection account for the refund that we bought. We had written off the difference, and ${amount} of it is now paid. ${remainingText}`,
      'You don’t need to do anything. Your statement of account shows the payment. If you think that it was meant for something else, reply to this email.',
    ],
    facts: [
      ['Received', amount],
      ['Still written off', formatPounds(left)],
    ],
  });
}

export function sendWriteOffRestoredLetter(
  deps: AppDeps,
  tx: Tx,
  advance: AdvanceRow,
  shortfall: ShortfallRow,
  amount: Pence,
): Promise<void> {
  return sendLetter(deps, tx, advance, shortfall, {
    heading: 'We’ve corrected a payment',
    preheader: 'You don’t owe us anything for it.',
    paragraphs: [
      `We had counted ${formatPounds(amount)} towards the difference that we wrote off. That payment was for something else, so we’ve corrected this. The difference remains written off, and we won’t ask you for it.`,
    ],
    facts: [['Written off again', formatPounds(amount)]],
  });
}

/** The trader had been sent a demand, but the payment for their refund had come back to us. */
export function sendNothingOwedLetter(deps: AppDeps, tx: Tx, advance: AdvanceRow, shortfall: ShortfallRow): Promise<void> {
  const refund = formatPounds(advance.refundPence);
  return sendLetter(deps, tx, advance, shortfall, {
    heading: `You don’t owe us ${refund}`,
    preheader: 'Your bank returned our payment to you.',
    paragraphs: [
      `Your bank has returned our payment for your refund of ${refund}. This means we haven’t bought the refund, and you don’t owe us the amount that we asked you for. If you’ve paid any of it, we’ll look into it and pay it back.`,
      'We’re looking into the returned payment. On your refund’s page, check that your bank details are correct.',
    ],
    facts: [['Due', formatPounds(ZERO)]],
  });
}

/** Part of the refund or of the difference had been paid, so the purchase remains and the returned money is set off. */
export function sendReturnedPayoutUsed(
  deps: AppDeps,
  tx: Tx,
  advance: AdvanceRow,
  shortfall: ShortfallRow,
  { returned, used, rest }: { readonly returned: Pence; readonly used: Pence; readonly rest: Pence },
): Promise<void> {
  const othersText = rest > 0 ? ` The other ${formatPounds(rest)} is yours, and we’ll pay it to you.` : '';
  return sendLetter(deps, tx, advance, shortfall, {
    heading: 'Our payment to you was returned',
    preheader: rest > 0 ? `${formatPounds(rest)} of it is yours.` : 'It covers the difference on your refund.',
    paragraphs: [
      `Your bank has returned our payment of ${formatPounds(returned)} to us. We’ve used ${formatPounds(used)} of it to cover the part of your refund that didn’t arrive.${othersText}`,
      'On your refund’s page, check that your bank details are correct.',
    ],
    facts: [
      ['Returned to us', formatPounds(returned)],
      ['Used to cover the difference', formatPounds(used)],
      ['Yours', formatPounds(rest)],
    ],
  });
}
