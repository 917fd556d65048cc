/** Emails to the billing contact: each invoice, a failed payment, a returned refund, and new prices. */
import type { Tx } from '@portal/db/database.ts';
import { vatInvoices } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { toLondonDate } from '@portal/domain/clock.ts';
import { formatPounds, type Pence } from '@portal/domain/money.ts';
import { formatDate, formatPeriod, type PlainDate } from '@portal/domain/plain-date.ts';
import { formatConnections } from '@portal/domain/pricing/format-connections.ts';
import type { PriceList } from '@portal/domain/pricing/price-list.ts';
import { getReadOnlyDay } from '@portal/domain/pricing/subscription.ts';
import type { AppDeps } from '../../app-deps.ts';
import { enqueueEmail } from '../../mail/enqueue-email.ts';
import { findAccount, type SubscriptionRow } from './billing-records.ts';
import type { VatInvoice } from './billing-records.ts';
import { getMove } from './price-move.ts';
import type { RefundRow } from './refund-facts.ts';

const SETTINGS_PATH = PAGES.practiceSettings.path;

export async function enqueueInvoiceEmail(deps: AppDeps, tx: Tx, invoice: VatInvoice): Promise<void> {
  const account = await findAccount(tx, invoice.companyId);
  if (!account?.billingEmail) return;
  const name = invoice.kind === 'invoice' ? 'VAT invoice' : 'Credit note';
  await enqueueEmail(deps, tx, account.billingEmail, {
    subject: `${name} ${invoice.number} from ${deps.site.brand}`,
    preheader: `${formatPounds(invoice.totalPence)} for ${invoice.customerName}`,
    heading: `${name} ${invoice.number}`,
    paragraphs: [
      `This ${name.startsWith('VAT') ? name : name.toLowerCase()} for ${invoice.customerName} is ready to download as a PDF or CSV file.`,
    ],
    facts: [
      ['Period', formatPeriod(invoice.periodStart, invoice.periodEnd)],
      ...(invoice.reason === null ? [] : ([['Reason', invoice.reason]] as const)),
      ['Excluding VAT', formatPounds(invoice.netPence)],
      ['VAT', formatPounds(invoice.vatPence)],
      ['Total', formatPounds(invoice.totalPence)],
    ],
    action: { label: 'See your invoices', path: `${SETTINGS_PATH}/invoices?company_id=${invoice.companyId}` },
    reason: `You’re receiving this because you’re the billing contact of ${invoice.customerName}.`,
    sentFor: { companyId: invoice.companyId, isEssential: true },
  });
}

export async function enqueueFailureEmail(deps: AppDeps, tx: Tx, companyId: string, subscription: SubscriptionRow): Promise<void> {
  const account = await findAccount(tx, companyId);
  if (!account?.billingEmail || subscription.unpaidSince === null) return;
  const readOnlyDay = getReadOnlyDay(toLondonDate(subscription.unpaidSince));
  await enqueueEmail(deps, tx, account.billingEmail, {
    subject: `We couldn’t collect your payment to ${deps.site.brand}`,
    preheader: `${formatPounds(subscription.amountDuePence)} is due`,
    heading: 'We couldn’t collect your payment',
    paragraphs: [
      `${subscription.failure ?? ''} Nothing has changed yet. Check your payment method, or add another one.`.trim(),
      `If we don’t receive your payment, we’ll stop refreshing your figures on ${formatDate(readOnlyDay)}. Nothing will be deleted.`,
    ],
    facts: [['Amount due', formatPounds(subscription.amountDuePence)]],
    action: { label: 'Check your payment', path: `${SETTINGS_PATH}/billing?company_id=${companyId}` },
    reason: 'You’re receiving this because you’re your practice’s billing contact.',
    sentFor: { companyId, isEssential: true },
  });
}

/** The practice is owed this money, and may have to provide another account or card. */
export async function enqueueRefundReturnedEmail(deps: AppDeps, tx: Tx, refund: RefundRow, failure: string): Promise<void> {
  await enqueueRefundEmail(deps, tx, refund, {
    subject: `Your refund from ${deps.site.brand} was returned to us`,
    preheader: (amount) => `We still owe you ${amount}`,
    heading: 'Your refund was returned to us',
    paragraphs: [
      'Your bank didn’t accept the refund, so we still owe you this amount. We’ll try your card or account again, or pay you by bank transfer.',
      `If that card or account is closed, reply to this email. Never send card numbers by email.`,
    ],
    facts: [['Reason from the bank', failure]],
  });
}

export async function enqueueTransferEmail(
  deps: AppDeps,
  tx: Tx,
  refund: RefundRow,
  { transferredOn, transferReference }: { readonly transferredOn: PlainDate; readonly transferReference: string },
): Promise<void> {
  await enqueueRefundEmail(deps, tx, refund, {
    subject: `We’ve paid your refund from ${deps.site.brand} by bank transfer`,
    preheader: (amount) => `${amount} on ${formatDate(transferredOn)}`,
    heading: 'We’ve paid your refund by bank transfer',
    paragraphs: ['Your refund couldn’t be paid to the card or account that paid the invoice, so we sent it from our bank account.'],
    facts: [
      ['Paid on', formatDate(transferredOn)],
      ['Reference', transferReference],
    ],
  });
}

type RefundEmail = Pick<Parameters<typeof enqueueEmail>[3], 'subject' | 'heading' | 'paragraphs'> & {
  readonly preheader: (amount: string) => string;
  readonly facts: readonly (readonly [string, string])[];
};

async function enqueueRefundEmail(deps: AppDeps, tx: Tx, refund: RefundRow, { preheader, facts, ...email }: RefundEmail): Promise<void> {
  const { companyId, creditNoteId, totalPence } = refund;
  const account = await findAccount(tx, companyId);
  if (!account?.billingEmail || creditNoteId === null) return;
  const isNote = and(eq(vatInvoices.companyId, companyId), eq(vatInvoices.id, creditNoteId));
  const [note] = await tx.select({ number: vatInvoices.number }).from(vatInvoices).where(isNote);
  const amount = formatPounds(totalPence);
  await enqueueEmail(deps, tx, account.billingEmail, {
    ...email,
    preheader: preheader(amount),
    facts: [['Amount', amount], ['Credit note', note?.number ?? ''], ...facts],
    action: { label: 'See your invoices', path: `${SETTINGS_PATH}/invoices?company_id=${companyId}` },
    reason: 'You’re receiving this because you’re your practice’s billing contact.',
    sentFor: { companyId, isEssential: true },
  });
}

type PriceNotice = {
  readonly lists: readonly PriceList[];
  readonly toVersion: number;
  readonly movesFrom: PlainDate;
  readonly connections: number;
  readonly fromTotalPence: Pence;
  readonly toTotalPence: Pence;
};

export async function enqueuePriceEmail(deps: AppDeps, tx: Tx, subscription: SubscriptionRow, notice: PriceNotice): Promise<void> {
  const account = await findAccount(tx, subscription.companyId);
  if (!account?.billingEmail) return;
  const { movesOn } = getMove(notice.lists, subscription, notice);
  const [from, to] = [formatPounds(notice.fromTotalPence), formatPounds(notice.toTotalPence)];
  const connections = formatConnections(notice.connections);
  await enqueueEmail(deps, tx, account.billingEmail, {
    subject: `Your ${deps.site.brand} price changes on ${formatDate(movesOn)}`,
    preheader: `From ${from} to ${to} a month`,
    heading: `Your price changes on ${formatDate(movesOn)}`,
    paragraphs: [
      `From your renewal on ${formatDate(movesOn)}, our new price list applies. Nothing changes until then. What you pay will depend on your connections and promotion code on that date.`,
      'You don’t need to do anything. If you’d rather not continue at this price, change your connections or cancel the subscription before that date.',
    ],
    facts: [
      ['Current connections', connections],
      ['Current monthly price, including VAT', from],
      [`Monthly price from ${formatDate(movesOn)}, including VAT`, to],
    ],
    action: { label: 'Go to billing', path: `${SETTINGS_PATH}/billing?company_id=${subscription.companyId}` },
    reason: 'You’re receiving this because you’re your practice’s billing contact.',
    sentFor: { companyId: subscription.companyId, isEssential: true },
  });
}

/** Sends the email about an announced price change that has been cancelled. */
export async function enqueuePriceChangeCancelledEmail(deps: AppDeps, tx: Tx, subscription: SubscriptionRow): Promise<void> {
  const account = await findAccount(tx, subscription.companyId);
  if (!account?.billingEmail) return;
  await enqueueEmail(deps, tx, account.billingEmail, {
    subject: `Your ${deps.site.brand} price isn’t changing`,
    preheader: 'You keep your current prices',
    heading: 'Your price isn’t changing',
    paragraphs: ['We emailed you about new prices from a future renewal. They no longer apply, so you keep your current prices.'],
    action: { label: 'Go to billing', path: `${SETTINGS_PATH}/billing?company_id=${subscription.companyId}` },
    reason: 'You’re receiving this because you’re your practice’s billing contact.',
    sentFor: { companyId: subscription.companyId, isEssential: true },
  });
}
