/** Emails about an early refund, one for each stage and owner. Each is queued in the transaction that records its stage. */
import { PAGES } from '@portal/contract/pages.ts';
import type { Tx } from '@portal/db/database.ts';
import { formatInstant, type Instant } from '@portal/domain/clock.ts';
import { formatPounds, type Pence } from '@portal/domain/money.ts';
import { formatDate, type PlainDate } from '@portal/domain/plain-date.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { EmailContent, EmailFact } from '../../mail/email-content.ts';
import { enqueueEmailToOwners, type EmailedCompany } from '../../mail/enqueue-email.ts';
import { EARLY_CREDIT_HOLD_REASON } from './early-credits.ts';
import type { AdvanceRow } from './transition-advance.ts';

type EmailedAdvance = Pick<
  AdvanceRow,
  'companyId' | 'obligationId' | 'periodStart' | 'periodEnd' | 'refundPence' | 'feePence' | 'netPence'
>;

type StageContent = Omit<EmailContent, 'reason' | 'action'> & { readonly actionLabel: string };

/** Queues an email that links to the early refund's page. */
function enqueueStage(
  deps: AppDeps,
  tx: Tx,
  { companyId, obligationId }: EmailedAdvance,
  compose: (company: EmailedCompany) => StageContent,
): Promise<void> {
  const path = `${PAGES.advance.path}?${new URLSearchParams({ company_id: companyId, obligation_id: obligationId })}`;
  return enqueueEmailToOwners(deps, tx, companyId, (company) => {
    const { actionLabel, ...content } = compose(company);
    return { ...content, action: { label: actionLabel, path } };
  });
}

const formatPeriod = ({ periodStart, periodEnd }: { periodStart: PlainDate; periodEnd: PlainDate }): string =>
  `${formatDate(periodStart)} to ${formatDate(periodEnd)}`;

const listPriceFacts = (advance: EmailedAdvance): EmailFact[] => [
  ['VAT period', formatPeriod(advance)],
  ['Refund from HMRC', formatPounds(advance.refundPence)],
  ['Our fee', formatPounds(advance.feePence)],
  ['You get', formatPounds(advance.netPence)],
];

export function enqueueOfferEmail(deps: AppDeps, tx: Tx, advance: EmailedAdvance & { validUntil: Instant }): Promise<void> {
  const net = formatPounds(advance.netPence);
  const validUntilText = formatInstant(advance.validUntil);
  return enqueueStage(deps, tx, advance, ({ name }) => ({
    subject: `${name}: you could get ${net} early`,
    preheader: `The offer is open until ${validUntilText}.`,
    heading: `You could get ${net} early`,
    paragraphs: [
      `HMRC owes ${name} a VAT refund of ${formatPounds(advance.refundPence)}. If you accept our offer, you get ${net} of it early, usually within 24 hours of us completing our checks.`,
      'It isn’t a loan. If you don’t want it, you don’t need to do anything, and HMRC will repay you as usual.',
    ],
    facts: [...listPriceFacts(advance), ['Offer open until', validUntilText]],
    actionLabel: 'See the offer',
  }));
}

/** Contains the full agreement, because the company must be able to keep it. */
export function enqueueAcceptedEmail(deps: AppDeps, tx: Tx, advance: AdvanceRow): Promise<void> {
  const net = formatPounds(advance.netPence);
  return enqueueStage(deps, tx, advance, ({ name }) => ({
    subject: `${name}: you accepted our offer of ${net}`,
    preheader: 'Your agreement, and what to do next.',
    heading: `You accepted our offer of ${net}`,
    paragraphs: [
      `Next, ask HMRC to repay into the collection account in ${name}’s name, then confirm that you’ve done so. We’ll show you how.`,
      'Your agreement is at the end of this email. Keep it for your records.',
    ],
    facts: listPriceFacts(advance),
    actionLabel: 'See what to do next',
    document: `${advance.agreementText}\nSHA-256 of this agreement: ${advance.agreementHash}`,
  }));
}

/**
 * Queues the email about a decision that the owners may not be waiting for on the page. It doesn't give the reason, which can be about
 * other people or a suspicion.
 */
export function enqueueDeclinedEmail(deps: AppDeps, tx: Tx, advance: AdvanceRow): Promise<void> {
  const refund = formatPounds(advance.refundPence);
  const hasAccount = advance.collectionConfirmedAt !== null;
  const hasMoney = advance.payoutHold === EARLY_CREDIT_HOLD_REASON;
  return enqueueStage(deps, tx, advance, ({ name }) => ({
    subject: `${name}: we can’t buy the refund of ${refund}`,
    preheader: 'We haven’t charged anything.',
    heading: 'We can’t buy this refund',
    paragraphs: [
      'We’ve checked the refund and decided not to pay it early. We haven’t charged anything.',
      hasMoney
        ? 'Money from HMRC has already reached the collection account. We’re checking it, and will pay you whatever is yours.'
        : `HMRC will repay ${refund} to ${name} as usual.`,
      hasAccount
        ? 'HMRC has our collection account. Change it back to your own bank account in HMRC’s service now.'
        : 'If you’ve given HMRC our collection account, change it back to your own bank account in HMRC’s service.',
    ],
    facts: [
      ['VAT period', formatPeriod(advance)],
      ['Refund from HMRC', refund],
    ],
    actionLabel: 'See the refund',
  }));
}

/** Queues the email about a payout that couldn't be sent before HMRC's figures became too old. */
export function enqueueReconfirmEmail(deps: AppDeps, tx: Tx, advance: AdvanceRow): Promise<void> {
  const net = formatPounds(advance.netPence);
  return enqueueStage(deps, tx, advance, ({ name }) => ({
    subject: `${name}: confirm again to get your ${net}`,
    preheader: 'We need to check HMRC’s figures again before we pay.',
    heading: 'Confirm again so we can pay you',
    paragraphs: [
      `We last read HMRC’s figures for ${name} more than a day ago. Before we pay ${net}, we have to refresh them, and HMRC requires you to be logged in when we do.`,
      'Open your refund and choose “Confirm again”. It takes a few seconds.',
    ],
    facts: listPriceFacts(advance),
    actionLabel: 'Confirm again',
  }));
}

type PaidPayout = { readonly amountPence: Pence; readonly accountNumber: string; readonly reference: string };

/** `isRepaid` means that HMRC repaid before the payout was sent, so nothing else follows. */
export function enqueuePaidEmail(deps: AppDeps, tx: Tx, advance: AdvanceRow, payout: PaidPayout, isRepaid: boolean): Promise<void> {
  const amount = formatPounds(payout.amountPence);
  const refund = formatPounds(advance.refundPence);
  return enqueueStage(deps, tx, advance, ({ name }) => ({
    subject: `${name}: we’ve paid you ${amount}`,
    preheader: `To the account ending ${payout.accountNumber.slice(-4)}`,
    heading: `We’ve paid you ${amount}`,
    paragraphs: [
      isRepaid
        ? `HMRC has already repaid the refund of ${refund}, so your early refund is settled. You don’t need to do anything.`
        : `HMRC will now repay ${refund} into the collection account. You don’t need to do anything, but don’t change your bank account at HMRC until the repayment has arrived.`,
    ],
    facts: [
      ['Paid to the account ending', payout.accountNumber.slice(-4)],
      ['Reference', payout.reference],
      ['VAT period', formatPeriod(advance)],
    ],
    actionLabel: 'See your refund',
  }));
}

/** Queues the email about a repayment from HMRC that hasn't arrived by the expected date. */
export function enqueueLateEmail(deps: AppDeps, tx: Tx, advance: AdvanceRow, expectedOn: PlainDate): Promise<void> {
  const refund = formatPounds(advance.refundPence);
  return enqueueStage(deps, tx, advance, ({ name }) => ({
    subject: `${name}: HMRC is late with the refund of ${refund}`,
    preheader: 'Log in and refresh the figures from HMRC.',
    heading: 'HMRC is late with this refund',
    paragraphs: [
      'Log in and refresh the figures from HMRC, so we can both see what has happened to the refund.',
      `We expected HMRC to repay ${refund} by ${formatDate(expectedOn)}, and it hasn’t reached the collection account yet. You keep the money we paid you.`,
      `HMRC may have sent a letter or message with questions. Check ${name}’s post and the messages in your HMRC account. If HMRC has asked for something, reply soon: it won’t repay until you have.`,
    ],
    facts: [
      ['Refund from HMRC', refund],
      ['Expected by', formatDate(expectedOn)],
      ['VAT period', formatPeriod(advance)],
    ],
    actionLabel: 'Log in and refresh',
  }));
}

/** Queues one email for a repayment that covers the whole refund and therefore settles the advance. */
export function enqueueRepaidEmail(deps: AppDeps, tx: Tx, advance: AdvanceRow, receivedAmount: Pence): Promise<void> {
  return enqueueStage(deps, tx, advance, ({ name }) => ({
    subject: `${name}: HMRC has repaid ${formatPounds(receivedAmount)}`,
    preheader: 'Your early refund is settled.',
    heading: 'HMRC has repaid, and your early refund is settled',
    paragraphs: [`HMRC’s repayment has reached ${name}’s collection account. There’s nothing more to do.`],
    facts: [
      ['HMRC repaid', formatPounds(receivedAmount)],
      ['Refund', formatPounds(advance.refundPence)],
      ['VAT period', formatPeriod(advance)],
    ],
    actionLabel: 'See your refund',
  }));
}
