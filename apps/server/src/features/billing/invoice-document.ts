/** A VAT invoice or credit note as a PDF and as CSV, from its frozen facts (VAT Regulations 1995, regulations 14 and 15C). */
import { formatCsvLine, neutraliseCsvCell } from '@portal/domain/books/csv-text.ts';
import { formatPounds, toPoundsText } from '@portal/domain/money.ts';
import { formatDate, formatPeriod, type PlainDate } from '@portal/domain/plain-date.ts';
import type { InvoiceLine } from '@portal/domain/pricing/invoice-lines.ts';
import type { InvoiceRefundKind, RefundStatus } from '@portal/domain/pricing/subscription.ts';
import type { Site } from '../../app-deps.ts';
import {
  createAmounts,
  describeSender,
  createFacts,
  createHeading,
  createParagraph,
  createMutedParagraph,
  type PrintedDocument,
  type DocumentBlock,
} from '../documents/printed-document.ts';
import type { VatInvoice } from './billing-records.ts';

export type RefundState = {
  readonly kind: InvoiceRefundKind;
  readonly status: RefundStatus;
  readonly transfer: { readonly transferred_on: PlainDate; readonly reference: string } | null;
};

export type InvoiceFacts = {
  readonly invoice: VatInvoice;
  readonly lines: readonly InvoiceLine[];
  /** The invoice that a credit note corrects. */
  readonly corrects: Pick<VatInvoice, 'number' | 'issuedOn'> | undefined;
  /** The status, on `asOf`, of a credit note's refund. Other credit notes reduce the next payment. */
  readonly refund: RefundState | undefined;
  /** The day on which the document is read. */
  readonly asOf: PlainDate;
};

export const getInvoiceName = ({ kind }: VatInvoice): string => (kind === 'invoice' ? 'VAT invoice' : 'Credit note');
const formatRate = (bps: number): string => `${bps / 100}%`;

export function createInvoiceDocument(site: Site, { invoice, lines, corrects, refund, asOf }: InvoiceFacts): PrintedDocument {
  const name = getInvoiceName(invoice);
  const period = formatPeriod(invoice.periodStart, invoice.periodEnd);
  return {
    brand: site.brand,
    title: `${name} ${invoice.number}`,
    lead: `${invoice.customerName} · ${period}`,
    subject: `${name} ${invoice.number} from ${invoice.sellerName} to ${invoice.customerName}`,
    createdAt: invoice.issuedAt,
    blocks: [
      createFacts([
        ['Number', invoice.number],
        ...(invoice.taxPoint === null
          ? ([['Date of issue and tax point', formatDate(invoice.issuedOn)]] as const)
          : ([
              ['Date of issue', formatDate(invoice.issuedOn)],
              ['Tax point (date of payment)', formatDate(invoice.taxPoint)],
            ] as const)),
        ['Period', period],
        ...(corrects ? ([['Corrects', `VAT invoice ${corrects.number} dated ${formatDate(corrects.issuedOn)}`]] as const) : []),
        ...(invoice.reason === null ? [] : ([['Reason', invoice.reason]] as const)),
      ]),
      createHeading('Supplier'),
      createFacts([
        ['Name', invoice.sellerName],
        ['Address', invoice.sellerAddress],
        ['VAT number', invoice.sellerVatNumber],
      ]),
      createHeading('Customer'),
      createFacts([
        ['Name', invoice.customerName],
        ['Contact', invoice.customerContact],
        ['Address', invoice.customerAddress.replaceAll(/\s*\n\s*/g, ', ')],
      ]),
      createHeading('Amounts'),
      toLinesTable(invoice, lines),
      createAmounts([
        ['Total excluding VAT', formatPounds(invoice.netPence)],
        [`VAT at ${formatRate(invoice.vatRateBps)}`, formatPounds(invoice.vatPence)],
        ['Total', formatPounds(invoice.totalPence), 'total'],
      ]),
      createParagraph(describePayment(invoice, refund, asOf)),
      createMutedParagraph('All amounts are in pounds sterling.'),
    ],
    footer: describeSender(site),
  };
}

/** The amounts are frozen, but the payment status isn't. */
function describePayment({ kind }: VatInvoice, refund: RefundState | undefined, asOf: PlainDate): string {
  if (kind === 'invoice') return 'Your payment method will be charged. You don’t need to do anything.';
  if (refund === undefined) return 'This amount reduces your next payment.';
  const day = `On ${formatDate(asOf)}:`;
  const { kind: refundKind, status, transfer } = refund;
  if (refundKind === 'reduction') return 'The invoice hadn’t been paid, so this amount reduces what you owe for it.';
  if (transfer) return `Paid by bank transfer on ${formatDate(transfer.transferred_on)}, with reference “${transfer.reference}”.`;
  if (status === 'succeeded')
    return `${day} refunded to the payment method that paid the invoice. It may take up to ten working days to appear in your account.`;
  if (status === 'failed' || status === 'refused')
    return `${day} not refunded yet, because the payment was returned to us. We still owe you this amount and will send it again.`;
  return `${day} being refunded to the payment method that paid the invoice. It may take up to ten working days to appear in your account.`;
}

function toLinesTable({ vatRateBps }: VatInvoice, lines: readonly InvoiceLine[]): DocumentBlock {
  return {
    kind: 'table',
    columns: [
      { title: 'Description', share: 0.52 },
      { title: 'Quantity', share: 0.14, align: 'right' },
      { title: 'VAT rate', share: 0.14, align: 'right' },
      { title: 'Excluding VAT', share: 0.2, align: 'right' },
    ],
    rows: lines.map(({ description, quantity, amountPence }) => ({
      cells: [description, quantity === null ? '' : String(quantity), formatRate(vatRateBps), formatPounds(amountPence)],
    })),
  };
}

/** Returns a CSV line for each invoice line. UTF-8 with a byte order mark, for Excel. */
export function formatInvoiceCsv({ invoice, lines, corrects }: InvoiceFacts): string {
  const titles = [
    'Number',
    'Kind',
    'Issued on',
    'From',
    'To',
    'Corrects',
    'Reason',
    'Description',
    'Quantity',
    'VAT rate',
    'Excluding VAT (£)',
  ];
  const head = [
    invoice.number,
    getInvoiceName(invoice),
    invoice.issuedOn,
    invoice.periodStart,
    invoice.periodEnd,
    corrects?.number ?? '',
    neutraliseCsvCell(invoice.reason ?? ''),
  ];
  const rows = [
    titles,
    ...lines.map(({ description, quantity, amountPence }) => [
      ...head,
      neutraliseCsvCell(description),
      quantity === null ? '' : String(quantity),
      formatRate(invoice.vatRateBps),
      toPoundsText(amountPence),
    ]),
    [...head, 'VAT', '', formatRate(invoice.vatRateBps), toPoundsText(invoice.vatPence)],
    [...head, 'Total including VAT', '', '', toPoundsText(invoice.totalPence)],
  ];
  return `\uFEFF${rows.map((row) => `${formatCsvLine(row)}\r\n`).join('')}`;
}
