/**
 * Computes a client's 12-month turnover when its current books change. It is stored with the practice, whose rules can't read a
 * client's own tables (docs/decisions/0060-client-vat-returns.md).
 */
import { randomUUID } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import { booksFiles, booksRows, clients, clientTurnovers } from '@portal/db/schema/schema.ts';
import { getYearStart } from '@portal/domain/agent/turnover.ts';
import type { Treatment } from '@portal/domain/books/books-row.ts';
import type { VatBasis } from '@portal/domain/connected-books/books-document.ts';
import { pence } from '@portal/domain/money.ts';
import { addDays, addMonths, getEndOfMonth, type PlainDate } from '@portal/domain/plain-date.ts';
import { and, desc, eq, inArray, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { isCurrentFile } from '../vat-returns/current-files.ts';
import type { Taxpayer } from '../vat-returns/taxpayer.ts';

/**
 * Sales that count towards VAT's thresholds. Exempt sales, overseas sales and sales of capital assets don't (docs/reference/uk-tax.md
 * 1.10).
 */
const TAXABLE: readonly Treatment[] = ['standard', 'reduced', 'zero', 'domestic_reverse_charge', 'ni_dispatch'];

/**
 * Call it in the transaction that changes which books are current. The turnover is unknown unless the books contain all sales of twelve
 * whole months. They don't if they begin later, or begin with sales without VAT, as before a registration.
 */
export async function saveBooksTurnover(
  tx: Tx,
  { clock }: Pick<AppDeps, 'clock'>,
  { companyId: clientId, practiceId }: Taxpayer,
  basis: VatBasis | null,
): Promise<void> {
  if (practiceId === null) return;
  await tx
    .delete(clientTurnovers)
    .where(and(eq(clientTurnovers.companyId, practiceId), eq(clientTurnovers.clientId, clientId), eq(clientTurnovers.source, 'books')));
  const [file] = await tx.select().from(booksFiles).where(isCurrentFile(clientId)).orderBy(desc(booksFiles.appliedAt)).limit(1);
  const end = file && findLastMonthEnd(file, clock.today());
  if (!file || !end) return;
  const start = getYearStart(end);
  const [client] = await tx
    .select({ registeredOn: clients.vatRegisteredOn })
    .from(clients)
    .where(and(eq(clients.companyId, practiceId), eq(clients.id, clientId)));
  if (!client || (client.registeredOn !== null && client.registeredOn > start)) return;
  const sums = await sumRows(tx, file, start, end);
  if (sums.firstSale === null || sums.firstSale > start || sums.salesWithoutVat > 0) return;
  await tx.insert(clientTurnovers).values({
    companyId: practiceId,
    clientId,
    id: randomUUID(),
    source: 'books',
    endOn: end,
    turnoverPence: pence(sums.taxable),
    badDebtPence: pence(sums.badDebts),
    isCashBasis: basis === null ? null : basis === 'cash',
    vatNumber: file.vatNumber,
    knownAt: clock.now(),
  });
}

/** Services bought from abroad count too, because their buyer is treated as having supplied them (VATA 1994 s8(1)). */
async function sumRows(tx: Tx, file: Pick<typeof booksFiles.$inferSelect, 'companyId' | 'id'>, start: PlainDate, end: PlainDate) {
  const isIn = sql`${booksRows.date} between ${start} and ${end}`;
  const isTaxable = inArray(booksRows.treatment, [...TAXABLE]);
  const [sums] = await tx
    .select({
      firstSale: sql<PlainDate | null>`min(${booksRows.date}) filter (where ${booksRows.kind} = 'sale')`,
      salesWithoutVat: sql<number>`(count(*) filter (where ${isIn} and ${booksRows.kind} = 'sale' and ${booksRows.treatment} = 'no_vat'))::int`,
      taxable: sql<number>`coalesce(sum(${booksRows.netPence}) filter (where ${isIn} and ((${booksRows.kind} = 'sale' and ${isTaxable})
        or (${booksRows.kind} = 'purchase' and ${booksRows.treatment} = 'imported_services'))), 0)::float8`,
      badDebts: sql<number>`coalesce(sum(${booksRows.vatPence}) filter (where ${isIn} and ${booksRows.treatment} = 'bad_debt_relief'), 0)::float8`,
    })
    .from(booksRows)
    .where(and(eq(booksRows.companyId, file.companyId), eq(booksRows.fileId, file.id)));
  return sums ?? { firstSale: null, salesWithoutVat: 0, taxable: 0, badDebts: 0 };
}

/** Books read from bookkeeping software are complete up to the time of reading; a file may lack the days after its last row. */
function findLastMonthEnd({ source, lastDate }: typeof booksFiles.$inferSelect, today: PlainDate): PlainDate | undefined {
  const coveredUntil = source === null ? lastDate : addDays(today, -1);
  if (coveredUntil === null) return undefined;
  return getEndOfMonth(coveredUntil) === coveredUntil ? coveredUntil : getEndOfMonth(addMonths(coveredUntil, -1));
}
