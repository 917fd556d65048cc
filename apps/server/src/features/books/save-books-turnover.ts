/**
 * Computes a client's turnover of twelve months when its current books change. It is stored with the practice, whose rules can't read a
 * client's own tables (docs/decisions/0060-client-vat-returns.md).
 */
import { randomUUID } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import { booksFiles, booksRows, clientTurnovers } from '@portal/db/schema/schema.ts';
import { startOfYear } from '@portal/domain/agent/turnover.ts';
import type { Treatment } from '@portal/domain/books/books-row.ts';
import type { VatBasis } from '@portal/domain/connected-books/books-document.ts';
import { pence } from '@portal/domain/money.ts';
import { addDays, addMonths, endOfMonth, type PlainDate } from '@portal/domain/plain-date.ts';
import { and, desc, eq, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { isCurrentFile } from '../vat-returns/current-files.ts';
import type { Taxpayer } from '../vat-returns/taxpayer.ts';

/** Sales that count for VAT's thresholds: not exempt or overseas ones, and not those of capital assets (docs/reference/uk-tax.md 1.10). */
const TAXABLE: readonly Treatment[] = ['standard', 'reduced', 'zero', 'domestic_reverse_charge', 'ni_dispatch'];

/** Call it in the transaction that changes which books are current. Without twelve whole months, the turnover is unknown. */
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
  if (!file?.firstDate || !end || file.firstDate > startOfYear(end)) return;
  const isIn = and(
    eq(booksRows.companyId, clientId),
    eq(booksRows.fileId, file.id),
    sql`${booksRows.date} between ${startOfYear(end)} and ${end}`,
  );
  const [sums] = await tx
    .select({
      taxable: sql<number>`coalesce(sum(${booksRows.netPence}) filter (where ${booksRows.kind} = 'sale'
        and ${booksRows.treatment} in (${sql.join(
          TAXABLE.map((treatment) => sql`${treatment}`),
          sql`, `,
        )})), 0)::float8`,
      badDebts: sql<number>`coalesce(sum(${booksRows.vatPence}) filter (where ${booksRows.treatment} = 'bad_debt_relief'), 0)::float8`,
    })
    .from(booksRows)
    .where(isIn);
  if (!sums) return;
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

/** Books read from a program are complete up to the reading; a file may lack the days after its last row. */
function findLastMonthEnd({ source, lastDate }: typeof booksFiles.$inferSelect, today: PlainDate): PlainDate | undefined {
  const covered = source === null ? lastDate : addDays(today, -1);
  if (covered === null) return undefined;
  return endOfMonth(covered) === covered ? covered : endOfMonth(addMonths(covered, -1));
}
