/** Emails about money between us and a trader outside the stages of an advance. */
import { PAGES } from '@portal/contract/pages.ts';
import type { Tx } from '@portal/db/database.ts';
import { formatPounds, type Pence } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import type { AppDeps } from '../../app-deps.ts';
import { enqueueEmailToOwners } from '../../mail/enqueue-email.ts';
import type { AdvanceRow } from './transition-advance.ts';

type SurplusPayout = {
  readonly companyId: string;
  readonly amountPence: Pence;
  readonly accountNumber: string;
  readonly reference: string;
};

export function enqueueSurplusPaidEmail(deps: AppDeps, tx: Tx, payout: SurplusPayout): Promise<void> {
  const amount = formatPounds(payout.amountPence);
  const accountEnd = payout.accountNumber.slice(-4);
  const path = `${PAGES.advance.path}?${new URLSearchParams({ company_id: payout.companyId })}`;
  return enqueueEmailToOwners(deps, tx, payout.companyId, ({ name }) => ({
    subject: `${name}: we’ve paid you ${amount}`,
    preheader: `To the account ending ${accountEnd}`,
    heading: `We’ve paid you ${amount}`,
    paragraphs: [
      `More money reached ${name}’s collection account than we bought, or an earlier payment was returned to us. It belongs to ${name}, so we’ve paid it to your bank account. You don’t need to do anything.`,
    ],
    facts: [
      ['Paid to the account ending', accountEnd],
      ['Reference', payout.reference],
    ],
    action: { label: 'See your refund', path },
  }));
}

type ReturnedCredit = { readonly companyId: string; readonly amountPence: Pence; readonly remitter: string };

/** This email is needed because the trader's statement has so far shown that we held the money for them. */
export function enqueueCreditReturnedEmail(
  deps: AppDeps,
  tx: Tx,
  { companyId, amountPence, remitter }: ReturnedCredit,
  { amount, reference }: { amount: Pence; reference: string },
): Promise<void> {
  const returnedAmount = formatPounds(amount);
  const path = `${PAGES.documents.path}?${new URLSearchParams({ company_id: companyId })}`;
  return enqueueEmailToOwners(deps, tx, companyId, ({ name }) => ({
    subject: `${name}: we’ve returned ${returnedAmount} to its sender`,
    preheader: `Returned from the ${formatPounds(amountPence)} that ${remitter} paid`,
    heading: `We’ve returned ${returnedAmount} to its sender`,
    paragraphs: [
      `${remitter} paid ${formatPounds(amountPence)} into ${name}’s collection account. ${returnedAmount} of it didn’t belong there, so we’ve sent it back. Your statement of account shows it. You don’t need to do anything.`,
    ],
    facts: [
      ['Returned to', remitter],
      ['Bank reference', reference],
    ],
    action: { label: 'See your documents', path },
  }));
}

/** Sends the email about an advance that is outstanding again, because a payment had been matched to it by mistake. */
export function enqueueReopenedEmail(deps: AppDeps, tx: Tx, advance: AdvanceRow, due: Pence): Promise<void> {
  const { companyId, obligationId, refundPence, periodStart, periodEnd } = advance;
  const isDue = advance.state !== 'awaiting_hmrc';
  const path = `${PAGES.advance.path}?${new URLSearchParams({ company_id: companyId, obligation_id: obligationId })}`;
  return enqueueEmailToOwners(deps, tx, companyId, ({ name }) => ({
    subject: `${name}: we’ve corrected a payment`,
    preheader: 'A payment was matched to the wrong refund.',
    heading: 'We’ve corrected a payment',
    paragraphs: [
      isDue
        ? `We had matched a payment to your early refund of ${formatPounds(refundPence)} by mistake. We’ve corrected it, so ${formatPounds(due)} is due from ${name} again.`
        : `We had matched a payment to your early refund of ${formatPounds(refundPence)} by mistake. We’ve corrected it, so we’re waiting for HMRC’s repayment again. You don’t need to do anything.`,
    ],
    facts: [
      ['Refund', formatPounds(refundPence)],
      ['VAT period', `${formatDate(periodStart)} to ${formatDate(periodEnd)}`],
      ...(isDue ? ([['Due from you', formatPounds(due)]] as const) : []),
    ],
    action: { label: 'See your refund', path },
  }));
}
