/** Letters about a shortfall: stored as sent, emailed to every owner, and shown in the portal. */
import { randomUUID } from 'node:crypto';
import { PAGES } from '@portal/contract/pages.ts';
import type { Tx } from '@portal/db/database.ts';
import { collectionAccounts, shortfallLetters } from '@portal/db/schema/schema.ts';
import { formatPounds, type Pence } from '@portal/domain/money.ts';
import { formatDate, type PlainDate } from '@portal/domain/plain-date.ts';
import type { Instalment } from '@portal/domain/shortfalls/instalment-plan.ts';
import { formatSortCode } from '@portal/domain/uk-tax/references/format-sort-code.ts';
import { eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { EmailFact } from '../../mail/email-content.ts';
import { enqueueEmailToOwners } from '../../mail/enqueue-email.ts';
import type { AdvanceRow } from '../advances/transition-advance.ts';
import type { ShortfallRow } from './shortfall-record.ts';

export type Letter = {
  readonly heading: string;
  readonly preheader: string;
  readonly paragraphs: readonly string[];
  readonly facts: readonly EmailFact[];
  readonly actionLabel?: string;
};

/** Stores the letter and queues its email in the caller's transaction. */
export async function sendLetter(deps: AppDeps, tx: Tx, advance: AdvanceRow, shortfall: ShortfallRow, letter: Letter): Promise<void> {
  const { companyId } = advance;
  const { heading, paragraphs, preheader, actionLabel = 'See your refund' } = letter;
  const facts: EmailFact[] = [
    ...letter.facts,
    ['VAT period', `${formatDate(advance.periodStart)} to ${formatDate(advance.periodEnd)}`],
    ['Our reference', shortfall.reference],
  ];
  await tx.insert(shortfallLetters).values({
    companyId,
    id: randomUUID(),
    shortfallId: shortfall.id,
    at: deps.clock.now(),
    heading,
    paragraphs: [...paragraphs],
    facts: facts.map(([label, value]) => [label, value]),
  });
  const path = `${PAGES.advance.path}?${new URLSearchParams({ company_id: companyId, obligation_id: advance.obligationId })}`;
  await enqueueEmailToOwners(deps, tx, companyId, ({ name }) => ({
    subject: `${name}: ${heading}`,
    preheader,
    heading,
    paragraphs,
    facts,
    action: { label: actionLabel, path },
  }));
}

/** Lists the details for paying by bank transfer. */
async function listTransferFacts(tx: Tx, companyId: string, reference: string): Promise<EmailFact[]> {
  const [account] = await tx.select().from(collectionAccounts).where(eq(collectionAccounts.companyId, companyId));
  if (!account) return [];
  return [
    ['Pay to', account.accountHolder],
    ['Sort code', formatSortCode(account.sortCode)],
    ['Account number', account.accountNumber],
    ['Reference to quote', reference],
  ];
}

export type DueAmount = { readonly owed: Pence; readonly dueOn: PlainDate; readonly received: Pence; readonly hasMandate: boolean };

/** Sends the notice: the amount, the date, and how to pay. */
export async function sendNotice(deps: AppDeps, tx: Tx, advance: AdvanceRow, shortfall: ShortfallRow, due: DueAmount): Promise<void> {
  const owedText = formatPounds(due.owed);
  const date = formatDate(due.dueOn);
  await sendLetter(deps, tx, advance, shortfall, {
    heading: `${owedText} is due by ${date}`,
    preheader: `HMRC repaid ${owedText} less than the refund we bought.`,
    paragraphs: [
      `We bought your VAT refund of ${formatPounds(advance.refundPence)}. So far ${formatPounds(due.received)} of it has arrived. ${shortfall.causeText}`,
      due.hasMandate
        ? `Under our agreement, you pay us the difference of ${owedText}. We’ll collect it by Direct Debit on or after ${date}, and we’ll email you before we do. You can also pay it earlier by bank transfer.`
        : `Under our agreement, you pay us the difference of ${owedText} by ${date}. Pay by bank transfer and quote the reference below, so that we can match your payment.`,
      'If you can’t pay it all now, or you disagree, tell us on your refund’s page. We don’t charge interest or fees.',
    ],
    facts: [['Due', owedText], ['Due by', date], ...(await listTransferFacts(tx, advance.companyId, shortfall.reference))],
    actionLabel: 'See how to pay',
  });
}

export async function sendReminder(
  deps: AppDeps,
  tx: Tx,
  advance: AdvanceRow,
  shortfall: ShortfallRow,
  due: Omit<DueAmount, 'hasMandate' | 'received'>,
) {
  const owedText = formatPounds(due.owed);
  await sendLetter(deps, tx, advance, shortfall, {
    heading: `${owedText} was due on ${formatDate(due.dueOn)}`,
    preheader: 'Pay it now, or tell us if you can’t.',
    paragraphs: [
      `We haven’t received ${owedText}, which was due on ${formatDate(due.dueOn)}. Please pay it now by bank transfer, quoting the reference below.`,
      'If you’ve paid in the last two days, you don’t need to do anything. If you can’t pay it all now, or you disagree, tell us on your refund’s page.',
    ],
    facts: [['Overdue', owedText], ...(await listTransferFacts(tx, advance.companyId, shortfall.reference))],
    actionLabel: 'See how to pay',
  });
}

/** HMRC’s figures suggest a shortfall, but nothing is owed yet. */
export function sendSuspicionLetter(deps: AppDeps, tx: Tx, advance: AdvanceRow, shortfall: ShortfallRow): Promise<void> {
  return sendLetter(deps, tx, advance, shortfall, {
    heading: 'HMRC may repay less than the refund',
    preheader: 'Check your letters and messages from HMRC.',
    paragraphs: [
      shortfall.causeText,
      'We can only see this in HMRC’s figures, and they may change. You don’t owe us anything now. Check your post and the messages in your HMRC account, and reply to HMRC soon if it has asked for something.',
    ],
    facts: [['Refund', formatPounds(advance.refundPence)]],
  });
}

export function sendReceipt(
  deps: AppDeps,
  tx: Tx,
  advance: AdvanceRow,
  shortfall: ShortfallRow,
  paidAmount: Pence,
  owedAmount: Pence,
): Promise<void> {
  return sendLetter(deps, tx, advance, shortfall, {
    heading: owedAmount > 0 ? `We’ve received ${formatPounds(paidAmount)}` : `We’ve received ${formatPounds(paidAmount)}. You’re all done`,
    preheader: owedAmount > 0 ? `${formatPounds(owedAmount)} is still due.` : 'Your early refund is settled.',
    paragraphs: [
      owedAmount > 0
        ? `Thank you. ${formatPounds(owedAmount)} is still due.`
        : 'Thank you. Your early refund is settled, and you don’t owe us anything more.',
    ],
    facts: [
      ['Received', formatPounds(paidAmount)],
      ['Still due', formatPounds(owedAmount)],
    ],
  });
}

/** Sends the advance notice that the scheme's rules require: amount and date before each collection (Direct Debit Guarantee). */
export function sendDirectDebitNotice(
  deps: AppDeps,
  tx: Tx,
  advance: AdvanceRow,
  shortfall: ShortfallRow,
  debit: { readonly amount: Pence; readonly chargeOn: PlainDate },
): Promise<void> {
  const amount = formatPounds(debit.amount);
  return sendLetter(deps, tx, advance, shortfall, {
    heading: `We’ll collect ${amount} by Direct Debit`,
    preheader: `On or shortly after ${formatDate(debit.chargeOn)}.`,
    paragraphs: [
      `We’ll collect ${amount} from your bank account by Direct Debit on or shortly after ${formatDate(debit.chargeOn)}. It’s for the part of the refund that HMRC didn’t repay.`,
      'You’re protected by the Direct Debit Guarantee: if an amount is wrong, your bank will refund it immediately. If you disagree with this amount, tell us before that day on your refund’s page and we’ll stop the collection.',
    ],
    facts: [
      ['Amount', amount],
      ['On or shortly after', formatDate(debit.chargeOn)],
    ],
  });
}

export async function sendDirectDebitFailed(
  deps: AppDeps,
  tx: Tx,
  advance: AdvanceRow,
  shortfall: ShortfallRow,
  debit: { readonly amount: Pence; readonly reason: string; readonly isChargeBack: boolean },
): Promise<void> {
  const amount = formatPounds(debit.amount);
  await sendLetter(deps, tx, advance, shortfall, {
    heading: debit.isChargeBack ? `Your bank reversed the Direct Debit of ${amount}` : `The Direct Debit of ${amount} failed`,
    preheader: `${amount} is due again.`,
    paragraphs: [
      debit.isChargeBack
        ? `Your bank has refunded the Direct Debit of ${amount} to you, so this amount is due again (${debit.reason}).`
        : `Your bank didn’t pay the Direct Debit of ${amount} (${debit.reason}).`,
      'Please pay by bank transfer with the reference below. If you disagree with the amount, tell us on your refund’s page.',
    ],
    facts: [['Due', amount], ...(await listTransferFacts(tx, advance.companyId, shortfall.reference))],
    actionLabel: 'See how to pay',
  });
}

export async function sendPlan(
  deps: AppDeps,
  tx: Tx,
  advance: AdvanceRow,
  shortfall: ShortfallRow,
  instalments: readonly Instalment[],
): Promise<void> {
  await sendLetter(deps, tx, advance, shortfall, {
    heading: `You’re paying in ${instalments.length} instalments`,
    preheader: 'Amounts and dates of your instalments.',
    paragraphs: [
      'You’ll pay the difference in the instalments below. We don’t charge interest or fees.',
      'Pay each one by its due date, by bank transfer quoting the reference below. If you’ve set up a Direct Debit, we’ll collect each instalment and email you before we do. You can pay off the rest at any time.',
    ],
    facts: [
      ...instalments.map(({ number, amount, dueOn }): EmailFact => [
        `Instalment ${number}`,
        `${formatPounds(amount)} by ${formatDate(dueOn)}`,
      ]),
      ...(await listTransferFacts(tx, advance.companyId, shortfall.reference)),
    ],
    actionLabel: 'See your instalments',
  });
}

export function sendDisputeReceived(deps: AppDeps, tx: Tx, advance: AdvanceRow, shortfall: ShortfallRow): Promise<void> {
  return sendLetter(deps, tx, advance, shortfall, {
    heading: 'We’ve stopped collecting while we look into it',
    preheader: 'You disagree with the amount.',
    paragraphs: [
      'You disagree with the amount we asked you to pay. We won’t collect anything, and nothing becomes overdue, until we’ve replied. We aim to reply within 14 days.',
      `You wrote: “${shortfall.disputeReason ?? ''}”`,
    ],
    facts: [],
  });
}

export function sendDisputeAnswer(
  deps: AppDeps,
  tx: Tx,
  advance: AdvanceRow,
  shortfall: ShortfallRow,
  reply: string,
  due: Omit<DueAmount, 'hasMandate' | 'received'>,
) {
  return sendLetter(deps, tx, advance, shortfall, {
    heading: 'Our reply to your dispute',
    preheader: `${formatPounds(due.owed)} is due by ${formatDate(due.dueOn)}.`,
    paragraphs: [
      reply,
      `${formatPounds(due.owed)} is due by ${formatDate(due.dueOn)}. If you’re not satisfied, reply to this email and we’ll treat it as a complaint.`,
    ],
    facts: [
      ['Due', formatPounds(due.owed)],
      ['Due by', formatDate(due.dueOn)],
    ],
  });
}

export function sendWrittenOffLetter(deps: AppDeps, tx: Tx, advance: AdvanceRow, shortfall: ShortfallRow, amount: Pence): Promise<void> {
  return sendLetter(deps, tx, advance, shortfall, {
    heading: 'You don’t need to pay the difference',
    preheader: `We’ve written off ${formatPounds(amount)}.`,
    paragraphs: [`We’ve written off ${formatPounds(amount)} and won’t ask you for it again. Your early refund is closed.`],
    facts: [['Written off', formatPounds(amount)]],
  });
}

export function sendNettedLetter(
  deps: AppDeps,
  tx: Tx,
  advance: AdvanceRow,
  shortfall: ShortfallRow,
  deductedAmount: Pence,
  owedAmount: Pence,
): Promise<void> {
  return sendLetter(deps, tx, advance, shortfall, {
    heading: `We’ve deducted ${formatPounds(deductedAmount)} from your latest payment`,
    preheader: owedAmount > 0 ? `${formatPounds(owedAmount)} is still due.` : 'This refund is settled.',
    paragraphs: [
      `When we paid you for your latest refund, we deducted ${formatPounds(deductedAmount)} that you still owed for this one. ${owedAmount > 0 ? `${formatPounds(owedAmount)} is still due.` : 'This refund is settled, and you don’t owe us anything more for it.'}`,
    ],
    facts: [
      ['Deducted', formatPounds(deductedAmount)],
      ['Still due', formatPounds(owedAmount)],
    ],
  });
}

export function sendMandateFailed(deps: AppDeps, tx: Tx, advance: AdvanceRow, shortfall: ShortfallRow): Promise<void> {
  return sendLetter(deps, tx, advance, shortfall, {
    heading: 'Set up your Direct Debit again',
    preheader: 'Your Direct Debit has ended.',
    paragraphs: [
      'When we paid you for your refund, you had a Direct Debit set up. It has ended, and HMRC hasn’t repaid the refund yet.',
      'You don’t owe us anything now. Please set it up again, as agreed.',
    ],
    facts: [],
    actionLabel: 'Set up Direct Debit',
  });
}
