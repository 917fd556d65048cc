/**
 * QuickBooks' VAT control account, which contains VAT not yet filed in QuickBooks (docs/reference/providers.md section 2). Payments to HMRC
 * are posted to another account, VAT suspense.
 */
import { z } from 'zod';
import { parseDecimal, toMinorUnits, ZERO_DECIMAL } from '@portal/domain/connected-books/decimal-amount.ts';
import { pence } from '@portal/domain/money.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import { parseResponse, type BooksReader } from '../connected-books/books-reader.ts';
import type { VatFigure, VatFigureRequest } from '../connected-books/books-provider.ts';
import { readCopiedObjects } from '../connected-books/vat-figure.ts';
import { quickBooksAgencyWire } from './quickbooks-books-wire.ts';

const MINOR_VERSION = '75';
const ACCOUNTS = `select * from Account where AccountSubType = 'GlobalTaxPayable'`;

const accountsWire = z.object({ QueryResponse: z.object({ Account: z.array(z.object({ Id: z.string() })).nullish() }) });
const cellWire = z.object({ value: z.string().nullish(), id: z.string().nullish() });
const trialBalanceWire = z.object({
  Columns: z.object({ Column: z.array(z.object({ ColTitle: z.string().nullish() })) }),
  Rows: z.object({ Row: z.array(z.object({ ColData: z.array(cellWire).nullish() })).nullish() }),
});

export async function readQuickBooksVatFigure(reader: BooksReader, companyUrl: string, request: VatFigureRequest): Promise<VatFigure> {
  const { periodStart, periodEnd, copy } = request;
  const agencies = z.array(quickBooksAgencyWire).parse(await readCopiedObjects(copy, 'TaxAgency'));
  if (agencies.some(({ LastFileDate: lastFiledOn }) => (lastFiledOn ?? '').slice(0, 10) >= periodEnd)) return { problem: 'filed_there' };
  const get = async <Shape>(
    path: string,
    parameters: Record<string, string>,
    shape: z.ZodType<Shape>,
    operation: string,
  ): Promise<Shape> => {
    const { body } = await reader.get(
      `${companyUrl}/${path}?${new URLSearchParams({ ...parameters, minorversion: MINOR_VERSION })}`,
      operation,
    );
    return parseResponse(shape, body, 'quickbooks', operation);
  };
  const queryBody = await get('query', { query: ACCOUNTS }, accountsWire, 'quickbooks.Account');
  const ids = new Set((queryBody.QueryResponse.Account ?? []).map(({ Id }) => Id));
  if (ids.size === 0) return { problem: 'no_account' };
  /** A trial balance states such an account's balance on its last day. */
  const readBalance = async (date: PlainDate): Promise<number> => {
    const parameters = { start_date: date, end_date: date, accounting_method: 'Accrual' };
    const { Columns: columns, Rows: rows } = await get('reports/TrialBalance', parameters, trialBalanceWire, 'quickbooks.TrialBalance');
    const titles = columns.Column.map(({ ColTitle }) => ColTitle ?? '');
    const read = (cells: readonly z.infer<typeof cellWire>[], title: string): number =>
      toMinorUnits(parseDecimal(cells[titles.indexOf(title)]?.value ?? '') ?? ZERO_DECIMAL);
    return (rows.Row ?? [])
      .map(({ ColData }) => ColData ?? [])
      .filter(([account]) => ids.has(account?.id ?? ''))
      .reduce((sum, cells) => sum + read(cells, 'Credit') - read(cells, 'Debit'), 0);
  };
  const openingBalance = await readBalance(addDays(periodStart, -1));
  return { vatPence: pence((await readBalance(periodEnd)) - openingBalance), paidPence: undefined };
}
