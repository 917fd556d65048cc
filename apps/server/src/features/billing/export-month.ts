/**
 * Exports a month for reconciliation. An invoice is linked to its charge and a credit note to its refund; a payment is linked to both and
 * to its payout; a payout's payments add up to its amount.
 */
import type { Db } from '@portal/db/database.ts';
import { companies, invoicePayments, invoiceRefunds, invoiceWriteOffs, vatInvoices } from '@portal/db/schema/schema.ts';
import { and, arrayOverlaps, asc, eq, gte, inArray, lt, or } from '@portal/db/sql.ts';
import { addMilliseconds, toLondonDate, getLondonHour, toInstant, type Instant } from '@portal/domain/clock.ts';
import { pence, ZERO } from '@portal/domain/money.ts';
import { addMonths, plainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import type { BalanceTransaction } from '@portal/providers/stripe/stripe-port.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Cell } from '../exports/export-columns.ts';
import { getBillingProvider } from './billing-records.ts';

export const EXPORT_TITLES = {
  invoices: [
    'Number',
    'Kind',
    'Issued on',
    'Practice',
    'Excluding VAT',
    'VAT',
    'Total',
    'Amount due',
    'Status',
    'Charge',
    'Refund',
    'Bank transfer',
    'Transferred on',
    'Invoice at Stripe',
    'Tax point',
  ],
  write_offs: [
    'Invoice',
    'Entry',
    'Date',
    'Invoice issued on',
    'Practice',
    'Excluding VAT',
    'VAT',
    'Total',
    'VAT relief from',
    'VAT relief until',
    'Charge',
    'Invoice at Stripe',
    'Reason',
  ],
  payments: ['Transaction', 'Type', 'Date', 'Charge', 'Refund', 'Invoice', 'Amount', 'Fee', 'Net', 'Payout'],
  payouts: ['Payout', 'Status', 'Created', 'Arrives', 'Amount', 'Total of payments'],
} as const;

type File = keyof typeof EXPORT_TITLES;
type Month = { readonly from: PlainDate; readonly before: PlainDate };

/** `month` is any day of the month. */
export function readExport(deps: AppDeps, file: File, month: PlainDate): AsyncGenerator<readonly Cell[]> {
  const from = plainDate(`${month.slice(0, 7)}-01`);
  const period = { from, before: addMonths(from, 1) };
  if (file === 'invoices') return readInvoices(deps, period);
  if (file === 'write_offs') return readWriteOffs(deps, period);
  return file === 'payments' ? readPayments(deps, period) : readPayouts(deps, period);
}

const toTextCell = (value: string | null | undefined): Cell => (value ? { kind: 'text', text: value } : undefined);
const toMoneyCell = (amount: number): Cell => ({ kind: 'money', pence: pence(amount) });
const toDayCell = (date: PlainDate): Cell => ({ kind: 'day', day: date });
/** Returns the day's first moment in London, because the rows show London days. The clocks change later in the night. */
function toMidnight(date: PlainDate): Instant {
  const utcMidnight = toInstant(Date.parse(`${date}T00:00:00Z`));
  return addMilliseconds(utcMidnight, -getLondonHour(utcMidnight) * 3_600_000);
}

async function* readInvoices({ database: { db } }: AppDeps, { from, before }: Month): AsyncGenerator<readonly Cell[]> {
  const rows = await db
    .select({ invoice: vatInvoices, payment: invoicePayments, practice: companies.name, refund: invoiceRefunds })
    .from(vatInvoices)
    .innerJoin(invoicePayments, and(eq(invoicePayments.companyId, vatInvoices.companyId), eq(invoicePayments.invoiceId, vatInvoices.id)))
    .innerJoin(companies, eq(companies.id, vatInvoices.companyId))
    .leftJoin(invoiceRefunds, and(eq(invoiceRefunds.companyId, vatInvoices.companyId), eq(invoiceRefunds.creditNoteId, vatInvoices.id)))
    .where(and(gte(vatInvoices.issuedOn, from), lt(vatInvoices.issuedOn, before)))
    .orderBy(asc(vatInvoices.sequence));
  for (const { invoice, payment, practice, refund } of rows) {
    yield [
      toTextCell(invoice.number),
      toTextCell(invoice.kind),
      toDayCell(invoice.issuedOn),
      toTextCell(practice),
      toMoneyCell(invoice.netPence),
      toMoneyCell(invoice.vatPence),
      toMoneyCell(invoice.totalPence),
      toMoneyCell(payment.amountDuePence),
      toTextCell(payment.status),
      toTextCell(payment.chargeId),
      // Only the last attempt: earlier ones were returned, as their payments show.
      toTextCell(refund?.status === 'transferred' ? undefined : refund?.providerRefundIds.at(-1)),
      // Not among Stripe's payments: it is on our bank statement.
      toTextCell(refund?.transferReference),
      refund?.transferredOn ? toDayCell(refund.transferredOn) : undefined,
      toTextCell(invoice.providerId),
      toDayCell(invoice.taxPoint ?? invoice.issuedOn),
    ];
  }
}

/**
 * Reads the bad debt account (VAT Notice 700/18): an entry for each write-off, and a reversing entry for each debt that was paid after all.
 */
async function* readWriteOffs({ database: { db } }: AppDeps, { from, before }: Month): AsyncGenerator<readonly Cell[]> {
  const isWithin = (column: typeof invoiceWriteOffs.writtenOffOn | typeof invoiceWriteOffs.reversedOn) =>
    and(gte(column, from), lt(column, before));
  const rows = await db
    .select({ one: invoiceWriteOffs, invoice: vatInvoices, payment: invoicePayments, practice: companies.name })
    .from(invoiceWriteOffs)
    .innerJoin(vatInvoices, and(eq(vatInvoices.companyId, invoiceWriteOffs.companyId), eq(vatInvoices.id, invoiceWriteOffs.invoiceId)))
    .innerJoin(invoicePayments, and(eq(invoicePayments.companyId, vatInvoices.companyId), eq(invoicePayments.invoiceId, vatInvoices.id)))
    .innerJoin(companies, eq(companies.id, vatInvoices.companyId))
    .where(or(isWithin(invoiceWriteOffs.writtenOffOn), isWithin(invoiceWriteOffs.reversedOn)))
    .orderBy(asc(vatInvoices.sequence));
  for (const { one, invoice, payment, practice } of rows) {
    const { writtenOffOn, reversedOn, amountPence, vatPence, reliefFrom, reliefUntil, reason } = one;
    const entries = [
      { entry: 'write_off', on: writtenOffOn, sign: 1 },
      { entry: 'reversal', on: reversedOn, sign: -1 },
    ] as const;
    for (const { entry, on, sign } of entries) {
      if (on === null || on < from || on >= before) continue;
      yield [
        toTextCell(invoice.number),
        toTextCell(entry),
        toDayCell(on),
        toDayCell(invoice.issuedOn),
        toTextCell(practice),
        toMoneyCell(sign * (amountPence - vatPence)),
        toMoneyCell(sign * vatPence),
        toMoneyCell(sign * amountPence),
        toDayCell(reliefFrom),
        toDayCell(reliefUntil),
        // The payment that settled it after all.
        toTextCell(entry === 'reversal' ? payment.chargeId : undefined),
        toTextCell(invoice.providerId),
        toTextCell(reason),
      ];
    }
  }
}

/** Returns the month's payments, and payments from earlier months that are in this month's payouts. */
async function* readPayments(deps: AppDeps, { from, before }: Month): AsyncGenerator<readonly Cell[]> {
  const { provider } = getBillingProvider(deps);
  const [start, end] = [toMidnight(from), toMidnight(before)];
  const balanceTransactions = await provider.listBalanceTransactions(start, end);
  // Charges at the end of the month are paid out in the next one.
  const payouts = await provider.listPayouts(start, addMilliseconds(end, LATEST_PAYOUT_MS));
  const paidOut: BalanceTransaction[] = [];
  for (const { payoutId } of payouts) paidOut.push(...(await provider.listPayoutTransactions(payoutId)));
  const monthPayoutIds = new Set(payouts.filter(({ createdAt }) => createdAt < end).map(({ payoutId }) => payoutId));
  const isExported = (item: BalanceTransaction) =>
    (item.createdAt >= start && item.createdAt < end) || monthPayoutIds.has(item.payoutId ?? '');
  const knownTransactionIds = new Set(paidOut.map(({ transactionId }) => transactionId));
  const allTransactions = [
    ...paidOut.filter(isExported),
    ...balanceTransactions.filter(({ transactionId }) => !knownTransactionIds.has(transactionId)),
  ];
  const numbers = await findNumbers(deps, allTransactions);
  for (const transaction of allTransactions.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1))) {
    if (transaction.type === 'payout') continue;
    const { transactionId, type, createdAt, chargeId, refundId, amountPence, feePence, netPence, payoutId } = transaction;
    yield [
      toTextCell(transactionId),
      toTextCell(type),
      toDayCell(toLondonDate(createdAt)),
      toTextCell(chargeId),
      toTextCell(refundId),
      toTextCell(numbers.get(refundId ?? chargeId ?? '')),
      toMoneyCell(amountPence),
      toMoneyCell(feePence),
      toMoneyCell(netPence),
      toTextCell(payoutId),
    ];
  }
}

/** Stripe pays out within seven working days (docs.stripe.com, Payout schedules). */
const LATEST_PAYOUT_MS = 14 * 86_400_000;

/** Finds the numbers of our invoices by their charges, and of our credit notes by their refunds. */
async function findNumbers({ database: { db } }: AppDeps, transactions: readonly BalanceTransaction[]): Promise<Map<string, string>> {
  const charges = [...new Set(transactions.flatMap(({ chargeId }) => chargeId ?? []))];
  if (charges.length === 0) return new Map();
  const paidBack = await listRefundNumbers(db, [...new Set(transactions.flatMap(({ refundId }) => refundId ?? []))]);
  const rows = await db
    .select({ chargeId: invoicePayments.chargeId, number: vatInvoices.number })
    .from(invoicePayments)
    .innerJoin(vatInvoices, and(eq(vatInvoices.companyId, invoicePayments.companyId), eq(vatInvoices.id, invoicePayments.invoiceId)))
    .where(inArray(invoicePayments.chargeId, charges));
  return new Map([...rows.map(({ chargeId, number }) => [chargeId ?? '', number] as const), ...paidBack]);
}

async function listRefundNumbers(db: Db, refundIds: readonly string[]): Promise<(readonly [string, string])[]> {
  if (refundIds.length === 0) return [];
  const rows = await db
    .select({ refundIds: invoiceRefunds.providerRefundIds, number: vatInvoices.number })
    .from(invoiceRefunds)
    .innerJoin(vatInvoices, and(eq(vatInvoices.companyId, invoiceRefunds.companyId), eq(vatInvoices.id, invoiceRefunds.creditNoteId)))
    .where(arrayOverlaps(invoiceRefunds.providerRefundIds, [...refundIds]));
  return rows.flatMap(({ refundIds: ids, number }) => ids.map((id) => [id, number] as const));
}

async function* readPayouts(deps: AppDeps, { from, before }: Month): AsyncGenerator<readonly Cell[]> {
  const { provider } = getBillingProvider(deps);
  for (const { payoutId, status, createdAt, arrivesAt, amountPence } of await provider.listPayouts(toMidnight(from), toMidnight(before))) {
    const transactions = await provider.listPayoutTransactions(payoutId);
    const sum = transactions.reduce((total, { type, netPence }) => (type === 'payout' ? total : total + netPence), ZERO as number);
    yield [
      toTextCell(payoutId),
      toTextCell(status),
      toDayCell(toLondonDate(createdAt)),
      toDayCell(toLondonDate(arrivesAt)),
      toMoneyCell(amountPence),
      toMoneyCell(sum),
    ];
  }
}
