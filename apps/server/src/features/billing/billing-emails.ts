/** Emails to the billing contact: each invoice, and a payment that failed. */
import type { Tx } from '@portal/db/database.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { londonDate } from '@portal/domain/clock.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate, formatPeriod } from '@portal/domain/plain-date.ts';
import { getReadOnlyDay } from '@portal/domain/pricing/subscription.ts';
import type { AppDeps } from '../../app-deps.ts';
import { enqueueEmail } from '../../mail/enqueue-email.ts';
import { findAccount, type SubscriptionRow } from './billing-records.ts';
import type { VatInvoice } from './billing-records.ts';

const SETTINGS = PAGES.practiceSettings.path;

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
      ['Without VAT', formatPounds(invoice.netPence)],
      ['VAT', formatPounds(invoice.vatPence)],
      ['Total', formatPounds(invoice.totalPence)],
    ],
    action: { label: 'See your invoices', path: `${SETTINGS}/invoices?company_id=${invoice.companyId}` },
    reason: `You’re receiving this because you’re the billing contact of ${invoice.customerName}.`,
  });
}

export async function enqueueFailureEmail(deps: AppDeps, tx: Tx, companyId: string, subscription: SubscriptionRow): Promise<void> {
  const account = await findAccount(tx, companyId);
  if (!account?.billingEmail || subscription.unpaidSince === null) return;
  const readOnlyDay = getReadOnlyDay(londonDate(subscription.unpaidSince));
  await enqueueEmail(deps, tx, account.billingEmail, {
    subject: `We couldn’t collect your payment to ${deps.site.brand}`,
    preheader: `${formatPounds(subscription.amountDuePence)} is due`,
    heading: 'We couldn’t collect your payment',
    paragraphs: [
      `${subscription.failure ?? ''} Nothing has changed yet. Check your payment method, or enter another one.`.trim(),
      `Without a payment, your figures are no longer refreshed from ${formatDate(readOnlyDay)}. Nothing is deleted.`,
    ],
    facts: [['Amount due', formatPounds(subscription.amountDuePence)]],
    action: { label: 'Check your payment', path: `${SETTINGS}/billing?company_id=${companyId}` },
    reason: 'You’re receiving this because you’re your practice’s billing contact.',
  });
}
