/**
 * Builds Xero's trial balance from the recorded documents. Each document is posted to its accounts, the VAT account, and debtors, creditors
 * or the bank.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RecordedObject, Recordings } from '../simulator/recordings.ts';
import { searchParams } from '../simulator/request.ts';

/** Balances in pounds by account code, debits positive. */
class Balances {
  readonly #amounts = new Map<string, number>();
  post(account: string, debit: number): void {
    this.#amounts.set(account, (this.#amounts.get(account) ?? 0) + debit);
  }
  list(): [string, number][] {
    return [...this.#amounts].map(([account, amount]) => [account, Math.round(amount * 100) / 100]);
  }
}

/** +1 for money in or receivables, whose VAT is owed to HMRC. */
const POSTING_DIRECTIONS: Readonly<Record<string, 1 | -1>> = {
  ACCREC: 1,
  ACCPAY: -1,
  ACCRECCREDIT: -1,
  ACCPAYCREDIT: 1,
  RECEIVE: 1,
  SPEND: -1,
};
const POSTED_STATUSES: ReadonlySet<unknown> = new Set(['AUTHORISED', 'PAID', 'POSTED']);
const OTHER_SIDE = { Invoices: '610', CreditNotes: '610', BankTransactions: '090' } as const;

export function sendTrialBalance(request: FastifyRequest, reply: FastifyReply, recordings: Recordings): FastifyReply {
  const date = searchParams(request).get('date') ?? '';
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) {
    return reply.code(400).send({ ErrorNumber: 10, Type: 'ValidationException', Message: 'date is invalid', Elements: [] });
  }
  const isCash = searchParams(request).get('paymentsOnly') === 'true';
  const accounts = recordings['Accounts'] ?? [];
  const vat = toText(accounts.find(({ SystemAccount: system }) => system === 'GST')?.['Code']);
  const balances = new Balances();
  for (const [resource, otherSide] of Object.entries(OTHER_SIDE))
    for (const item of recordings[resource] ?? []) postDocument(balances, item, { date, isCash, vat, otherSide });
  for (const journal of recordings['ManualJournals'] ?? []) postJournal(balances, journal, { date, vat });
  return reply.send({
    Id: '00000000-0000-0000-0000-000000000000',
    Status: 'OK',
    ProviderName: 'Sandbox',
    Reports: [
      {
        ReportID: 'TrialBalance',
        ReportName: 'Trial Balance',
        ReportTitles: ['Trial Balance', `As at ${date}`],
        Rows: [
          { RowType: 'Header', Cells: ['Account', 'Debit', 'Credit', 'YTD Debit', 'YTD Credit'].map((Value) => ({ Value })) },
          { RowType: 'Section', Title: 'Accounts', Rows: balances.list().map(([code, amount]) => toRow(code, amount, accounts)) },
        ],
      },
    ],
  });
}

type PostingContext = { readonly date: string; readonly isCash: boolean; readonly vat: string; readonly otherSide: string };

function postDocument(balances: Balances, item: RecordedObject, { date, isCash, vat, otherSide }: PostingContext): void {
  const direction = POSTING_DIRECTIONS[String(item['Type'])];
  if (direction === undefined || !POSTED_STATUSES.has(item['Status'])) return;
  const share = isCash && otherSide !== '090' ? getPaidShare(item, date) : toDay(item['Date']) <= date ? 1 : 0;
  const factor = (direction * share) / Number(item['CurrencyRate'] ?? 1);
  for (const line of toList(item['LineItems'])) {
    const tax = Number(line['TaxAmount'] ?? 0);
    const net = Number(line['LineAmount'] ?? 0) - (item['LineAmountTypes'] === 'Inclusive' ? tax : 0);
    balances.post(String(line['AccountCode']), -net * factor);
    balances.post(vat, -tax * factor);
    balances.post(otherSide, (net + tax) * factor);
  }
}

function postJournal(balances: Balances, journal: RecordedObject, { date, vat }: Pick<PostingContext, 'date' | 'vat'>): void {
  if (!POSTED_STATUSES.has(journal['Status']) || toDay(journal['Date']) > date) return;
  for (const line of toList(journal['JournalLines'])) {
    balances.post(String(line['AccountCode']), Number(line['LineAmount'] ?? 0));
    balances.post(vat, Number(line['TaxAmount'] ?? 0));
  }
}

function getPaidShare(item: RecordedObject, date: string): number {
  const paidPayments = toList(item['Payments']).filter((payment) => toDay(payment['Date']) <= date);
  return paidPayments.reduce((sum, { Amount: amount }) => sum + Number(amount ?? 0), 0) / (Number(item['Total']) || 1);
}

function toRow(code: string, amount: number, accounts: readonly RecordedObject[]): RecordedObject {
  const account = accounts.find(({ Code: accountCode }) => accountCode === code);
  const attributes = account?.['AccountID'] === undefined ? [] : [{ Id: 'account', Value: account['AccountID'] }];
  const [debit, credit] = amount >= 0 ? [amount.toFixed(2), ''] : ['', (-amount).toFixed(2)];
  const values = [`${toText(account?.['Name'])} (${code})`, debit, credit, debit, credit];
  return { RowType: 'Row', Cells: values.map((Value) => ({ Value, Attributes: attributes })) };
}

function toDay(date: unknown): string {
  const ms = /^\/Date\((-?\d+)/.exec(String(date))?.[1];
  return ms === undefined ? String(date).slice(0, 10) : new Date(Number(ms)).toISOString().slice(0, 10);
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function toList(value: unknown): RecordedObject[] {
  return Array.isArray(value) ? (value as RecordedObject[]) : [];
}
