/** The net VAT from FreeAgent's own return, the only VAT figure in its API (docs/reference/providers.md section 3). */
import { addDecimals, parseDecimal, toMinorUnits, ZERO_DECIMAL } from '@portal/domain/connected-books/decimal-amount.ts';
import { pence } from '@portal/domain/money.ts';
import type { VatFigure, VatFigureRequest } from '../connected-books/books-provider.ts';
import type { FreeAgentBooksClient } from './freeagent-books-client.ts';

export async function readFreeAgentVatFigure(
  client: Pick<FreeAgentBooksClient, 'list'>,
  { periodStart, periodEnd }: VatFigureRequest,
): Promise<VatFigure> {
  for await (const page of client.list('vat_returns')) {
    const foundReturn = page.find(({ period_starts_on: from, period_ends_on: to }) => from === periodStart && to === periodEnd);
    if (!foundReturn) continue;
    const amounts = (foundReturn.payments ?? []).map(({ amount_due: due }) => parseDecimal(due ?? '') ?? ZERO_DECIMAL);
    return { vatPence: pence(toMinorUnits(amounts.reduce(addDecimals, ZERO_DECIMAL))), paidPence: undefined };
  }
  return { problem: 'no_return' };
}
