/**
 * Xero's VAT account in its trial balance (docs/reference/providers.md section 1). Its balance changes with the VAT on documents, and with
 * payments to and repayments from HMRC, which are excluded.
 */
import { z } from 'zod';
import {
  addDecimals,
  type Decimal,
  negateDecimal,
  parseDecimal,
  toMinorUnits,
  ZERO_DECIMAL,
} from '@portal/domain/connected-books/decimal-amount.ts';
import { pence } from '@portal/domain/money.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import { parseResponse, type BooksReader } from '../connected-books/books-reader.ts';
import type { VatFigure, VatFigureRequest } from '../connected-books/books-provider.ts';
import { readCopiedObjects } from '../connected-books/vat-figure.ts';
import { xeroAccountWire, xeroBankTransactionWire, type XeroAccountWire } from './xero-books-wire.ts';
import { readXeroDate } from './xero-date.ts';

/** Xero's own name, in every country, for the account to which all VAT is posted. */
const VAT_ACCOUNT = 'GST';

const cellWire = z.object({
  Value: z.string().nullish(),
  Attributes: z.array(z.object({ Id: z.string().nullish(), Value: z.string().nullish() })).nullish(),
});
const rowWire = z.object({ RowType: z.string(), Cells: z.array(cellWire).nullish() });
const reportWire = z.object({ Reports: z.array(z.object({ Rows: z.array(rowWire.extend({ Rows: z.array(rowWire).nullish() })) })).min(1) });
type Report = z.infer<typeof reportWire>['Reports'][number];

export async function readXeroVatFigure(reader: BooksReader, apiUrl: string, request: VatFigureRequest): Promise<VatFigure> {
  const { periodStart, periodEnd, basis, copy } = request;
  const accounts = z.array(xeroAccountWire).parse(await readCopiedObjects(copy, 'Accounts'));
  const account = accounts.find(({ SystemAccount }) => SystemAccount === VAT_ACCOUNT);
  if (!account) return { problem: 'no_account' };
  const readBalance = async (date: PlainDate): Promise<number> => {
    // With payments only, the report is on a cash basis.
    const query = new URLSearchParams({ date, paymentsOnly: String(basis === 'cash') });
    const operation = 'xero.TrialBalance';
    const { body } = await reader.get(`${apiUrl}/Reports/TrialBalance?${query}`, operation);
    const [report] = parseResponse(reportWire, body, 'xero', operation).Reports;
    return report ? getBalance(report, account) : 0;
  };
  const openingBalance = await readBalance(addDays(periodStart, -1));
  const after = await readBalance(periodEnd);
  const paidAmount = await sumPayments(request, account);
  return { vatPence: pence(after - openingBalance + paidAmount), paidPence: pence(paidAmount) };
}

/** Returns the amount owed to HMRC on the account, in pence. An account without a balance isn't in the report. */
function getBalance({ Rows: rows }: Report, account: XeroAccountWire): number {
  const titles = rows.find(({ RowType }) => RowType === 'Header')?.Cells?.map(({ Value }) => Value ?? '') ?? [];
  const [debit, credit] = [titles.indexOf('YTD Debit'), titles.indexOf('YTD Credit')];
  const row = rows
    .flatMap(({ Rows: inner, ...ownRow }) => [ownRow, ...(inner ?? [])])
    .find(({ RowType, Cells: cells }) => RowType === 'Row' && cells?.[0] !== undefined && isAccountCell(cells[0], account));
  const read = (index: number): number => toMinorUnits(parseDecimal(row?.Cells?.[index]?.Value ?? '') ?? ZERO_DECIMAL);
  return row ? read(credit) - read(debit) : 0;
}

function isAccountCell(
  { Value: label, Attributes: attributes }: z.infer<typeof cellWire>,
  { AccountID: id, Code: code }: XeroAccountWire,
): boolean {
  const accountId = attributes?.find(({ Id }) => Id === 'account')?.Value;
  if (accountId && id) return accountId === id;
  return Boolean(code) && label?.endsWith(`(${code})`) === true;
}

/** Money spent from the account itself is paid to HMRC; money received is repaid. */
async function sumPayments({ copy, periodStart, periodEnd }: VatFigureRequest, { Code: code }: XeroAccountWire): Promise<number> {
  let paidTotal: Decimal = ZERO_DECIMAL;
  if (!code) return 0;
  for await (const page of copy.pages('BankTransactions')) {
    for (const { Status, Type, Date: date, LineItems: lines } of z.array(xeroBankTransactionWire).parse(page)) {
      const paidOn = readXeroDate(date);
      const sign = Type === 'SPEND' ? 1 : Type === 'RECEIVE' ? -1 : 0;
      if (Status !== 'AUTHORISED' || sign === 0 || paidOn === undefined || paidOn < periodStart || paidOn > periodEnd) continue;
      for (const { AccountCode, LineAmount } of lines ?? []) {
        const amount = AccountCode === code ? parseDecimal(LineAmount ?? '') : undefined;
        if (amount) paidTotal = addDecimals(paidTotal, sign > 0 ? amount : negateDecimal(amount));
      }
    }
  }
  return toMinorUnits(paidTotal);
}
