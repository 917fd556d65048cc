/**
 * Computes a client's 12-month turnover for each month end that its current books cover. It is stored with the practice, whose rules can't
 * read a client's own tables (docs/decisions/0060-client-vat-returns.md).
 */
import { randomUUID } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import { booksFiles, booksRows, clients, clientTurnovers } from '@portal/db/schema/schema.ts';
import { type BooksMonth, listBooksTurnovers } from '@portal/domain/agent/books-turnovers.ts';
import { MAX_AGE_DAYS } from '@portal/domain/agent/known-returns.ts';
import type { Treatment } from '@portal/domain/books/books-row.ts';
import type { VatBasis } from '@portal/domain/connected-books/books-document.ts';
import { pence } from '@portal/domain/money.ts';
import { addDays, addMonths, getEndOfMonth, type PlainDate } from '@portal/domain/plain-date.ts';
import { REGISTRATION_THRESHOLDS } from '@portal/domain/uk-tax/vat/registration-thresholds.ts';
import { and, desc, eq, inArray, isNull, or, sql, type SQL } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { isVatRegistered } from '../clients/is-vat-registered.ts';
import { isCurrentFile } from '../vat-returns/current-files.ts';
import { lockTaxpayer, type Taxpayer } from '../vat-returns/taxpayer.ts';

/**
 * Sales that count towards VAT's thresholds. Exempt sales, overseas sales and sales of capital assets don't (docs/reference/uk-tax.md
 * 1.10).
 */
const TAXABLE: readonly Treatment[] = ['standard', 'reduced', 'zero', 'domestic_reverse_charge', 'ni_dispatch'];

type CurrentFile = typeof booksFiles.$inferSelect;

/**
 * Call it in the transaction that changes which books are current. Months that the current books don't cover stay as their own books
 * stated them, so that a month above the registration threshold isn't forgotten; months of withdrawn books are deleted.
 */
export async function saveBooksTurnover(
  tx: Tx,
  { clock }: Pick<AppDeps, 'clock'>,
  { companyId: clientId, practiceId }: Taxpayer,
  basis: VatBasis | null,
): Promise<void> {
  if (practiceId === null) return;
  const isClients = and(
    eq(clientTurnovers.companyId, practiceId),
    eq(clientTurnovers.clientId, clientId),
    eq(clientTurnovers.source, 'books'),
  );
  await tx.delete(clientTurnovers).where(and(isClients, isWithdrawn(clientId)));
  const [file] = await tx.select().from(booksFiles).where(isCurrentFile(clientId)).orderBy(desc(booksFiles.appliedAt)).limit(1);
  const today = clock.today();
  const lastEnd = file && findLastMonthEnd(file, today);
  if (!file?.firstDate || !lastEnd) return;
  const [client] = await tx
    .select({
      registeredOn: clients.vatRegisteredOn,
      isRegistered: isVatRegistered('clients'),
    })
    .from(clients)
    .where(and(eq(clients.companyId, practiceId), eq(clients.id, clientId)));
  if (!client) return;
  const { months, firstSale } = await sumMonths(tx, file);
  // Books with a VAT number are of a registration, so no rule uses their earlier months (listRegistrationTurnovers).
  const earliestEnd = file.vatNumber === null ? REGISTRATION_THRESHOLDS[0].from : addDays(today, -MAX_AGE_DAYS);
  const coverage = { firstDay: file.firstDate, firstSale, lastEnd, earliestEnd, registeredOn: client.registeredOn };
  const { known, unknown } = listStorable(listBooksTurnovers(months, coverage));
  const origin = getOrigin(file);
  if (unknown.length > 0) {
    await tx
      .delete(clientTurnovers)
      .where(and(isClients, eq(clientTurnovers.booksOrigin, origin), inArray(clientTurnovers.endOn, [...unknown])));
  }
  const rows = known.map(({ end, sums }) => ({
    companyId: practiceId,
    clientId,
    id: randomUUID(),
    source: 'books' as const,
    endOn: end,
    turnoverPence: pence(sums.turnover_pence),
    badDebtPence: pence(sums.bad_debt_pence),
    isCashBasis: basis === null ? null : basis === 'cash',
    vatNumber: file.vatNumber,
    booksOrigin: origin,
    wasRegistered: client.isRegistered || file.vatNumber !== null,
    knownAt: clock.now(),
  }));
  if (rows.length > 0) await storeMonths(tx, rows, file);
}

/** Call it for books that were read again without a change: a month may have ended since they became current. */
export async function saveNewMonthEnds(
  { database, clock }: Pick<AppDeps, 'database' | 'clock'>,
  taxpayer: Taxpayer,
  basis: VatBasis,
): Promise<void> {
  if (taxpayer.practiceId === null) return;
  await database.db.transaction(async (tx) => {
    await lockTaxpayer(tx, taxpayer);
    await saveBooksTurnover(tx, { clock }, taxpayer, basis);
  });
}

type Turnovers = ReturnType<typeof listBooksTurnovers>;

/** Sums above what a number holds exactly are a mistake in the books. Their return's boxes say so; here they are unknown. */
function listStorable({ known, unknown }: Turnovers): Turnovers {
  const isStorable = ({ sums }: Turnovers['known'][number]) => Object.values(sums).every((sum) => Number.isSafeInteger(sum));
  const tooLarge = known.filter((turnover) => !isStorable(turnover)).map(({ end }) => end);
  return { known: known.filter(isStorable), unknown: [...unknown, ...tooLarge] };
}

/** As the origin in SQL below. */
const getOrigin = ({ source, organisationId }: CurrentFile): string =>
  source === null ? 'file' : [source, organisationId].filter((part) => part !== null).join(' ');

/** Returns a condition for months of books that were withdrawn, and for a month of unknown books, stored by the version before. */
function isWithdrawn(clientId: string): SQL | undefined {
  const origin = sql`case when ${booksFiles.source} is null then 'file' else concat_ws(' ', ${booksFiles.source}, ${booksFiles.organisationId}) end`;
  const hasBooks = sql`exists (select from ${booksFiles} where ${booksFiles.companyId} = ${clientId} and ${booksFiles.appliedAt} is not null
    and ${booksFiles.withdrawnAt} is null and ${origin} = ${clientTurnovers.booksOrigin})`;
  return or(isNull(clientTurnovers.booksOrigin), sql`not ${hasBooks}`);
}

/**
 * Leaves a month as it is if these books have stated it since they became current. A month stored while the client was registered stays so
 * marked, even if the same sales are read again after the registration.
 */
async function storeMonths(tx: Tx, rows: readonly (typeof clientTurnovers.$inferInsert)[], { appliedAt }: CurrentFile): Promise<void> {
  const wasRegistered = sql`coalesce(${clientTurnovers.wasRegistered}, false) or excluded.was_registered`;
  const isCashBasis = sql`coalesce(excluded.is_cash_basis, ${clientTurnovers.isCashBasis})`;
  await tx
    .insert(clientTurnovers)
    .values([...rows])
    .onConflictDoUpdate({
      target: [clientTurnovers.companyId, clientTurnovers.clientId, clientTurnovers.endOn, clientTurnovers.booksOrigin],
      targetWhere: sql`source = 'books'`,
      set: {
        turnoverPence: sql`excluded.turnover_pence`,
        badDebtPence: sql`excluded.bad_debt_pence`,
        isCashBasis,
        vatNumber: sql`excluded.vat_number`,
        wasRegistered,
        knownAt: sql`excluded.known_at`,
      },
      setWhere: sql`${clientTurnovers.knownAt} < ${appliedAt}::timestamptz or
        (${clientTurnovers.turnoverPence}, ${clientTurnovers.badDebtPence}, ${clientTurnovers.isCashBasis}, ${clientTurnovers.vatNumber}, ${clientTurnovers.wasRegistered})
        is distinct from (excluded.turnover_pence, excluded.bad_debt_pence, ${isCashBasis}, excluded.vat_number, ${wasRegistered})`,
    });
}

/** Services bought from abroad count too, because their buyer is treated as having supplied them (VATA 1994 s8(1)). */
async function sumMonths(tx: Tx, file: Pick<CurrentFile, 'companyId' | 'id'>) {
  const isTaxable = inArray(booksRows.treatment, [...TAXABLE]);
  const start = sql<PlainDate>`date_trunc('month', ${booksRows.date})::date`;
  const rows = await tx
    .select({
      start: sql<PlainDate>`${start}::text`,
      first_sale: sql<PlainDate | null>`(min(${booksRows.date}) filter (where ${booksRows.kind} = 'sale'))::text`,
      sales_without_vat: sql<number>`(count(*) filter (where ${booksRows.kind} = 'sale' and ${booksRows.treatment} = 'no_vat'))::int`,
      taxable_pence: sql<number>`coalesce(sum(${booksRows.netPence}) filter (where (${booksRows.kind} = 'sale' and ${isTaxable})
        or (${booksRows.kind} = 'purchase' and ${booksRows.treatment} = 'imported_services')), 0)::float8`,
      bad_debt_pence: sql<number>`coalesce(sum(${booksRows.vatPence}) filter (where ${booksRows.treatment} = 'bad_debt_relief'), 0)::float8`,
    })
    .from(booksRows)
    .where(and(eq(booksRows.companyId, file.companyId), eq(booksRows.fileId, file.id)))
    .groupBy(start)
    .orderBy(start);
  const months: BooksMonth[] = rows;
  return { months, firstSale: rows.find(({ first_sale: on }) => on !== null)?.first_sale ?? null };
}

/** Books read from bookkeeping software are complete up to the time of reading; a file may lack the days after its last row. */
function findLastMonthEnd({ source, lastDate }: CurrentFile, today: PlainDate): PlainDate | undefined {
  const lastDay = lastDate !== null && lastDate > today ? today : lastDate;
  const coveredUntil = source === null ? lastDay : addDays(today, -1);
  if (coveredUntil === null) return undefined;
  return getEndOfMonth(coveredUntil) === coveredUntil ? coveredUntil : getEndOfMonth(addMonths(coveredUntil, -1));
}
