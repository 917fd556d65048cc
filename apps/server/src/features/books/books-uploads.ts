/**
 * Receives books files from any software. A file is used immediately if its columns are known and it covers its periods completely.
 * Otherwise it is stored whole and stays pending until a user explains its columns or allows its use.
 */
import { randomUUID } from 'node:crypto';
import type { booksApi, BooksUpload, PendingBooks } from '@portal/contract/books.ts';
import type { ParsedEndpointInput } from '@portal/contract/endpoint.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { booksColumns, booksUploads, obligations } from '@portal/db/schema/schema.ts';
import { AppError, createInvalidFieldError } from '@portal/domain/app-error.ts';
import {
  type BooksTable,
  type CoverageGap,
  EMPTY_REMEMBERED_COLUMNS,
  listMissingColumns,
  type RememberedBooksColumns,
} from '@portal/domain/books/books-mapping.ts';
import { findCoverageGaps } from '@portal/domain/books/find-coverage-gaps.ts';
import { groupRowErrors } from '@portal/domain/books/group-row-errors.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { normaliseHeading, rememberTargets } from '@portal/domain/tables/recognise-columns.ts';
import { inspectBooksTable, listBooksValues, readBooksTable } from '@portal/providers/books-file/read-books-table.ts';
import { type OpenTable, openTable } from '@portal/providers/records-file/open-table.ts';
import { UnreadableFileError } from '@portal/providers/records-file/unreadable-file-error.ts';
import { and, eq, lt } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';
import { createNotFoundError } from '../../http/policies.ts';
import { getRowsCutOff } from '../retention/row-retention.ts';
import { IS_STILL_EXPECTED } from '../vat-returns/is-still-expected.ts';
import { recordTaxpayerAudit, type Taxpayer } from '../vat-returns/taxpayer.ts';
import { applyBooksFile } from './apply-books-file.ts';

export type Uploader = Taxpayer & { readonly actor: Actor; readonly ip: string };
type PendingRow = typeof booksUploads.$inferSelect;

/** Stores the upload, replacing a pending file. */
export async function receiveBooks(
  deps: AppDeps,
  uploader: Uploader,
  fileName: string,
  stream: AsyncIterable<Uint8Array>,
): Promise<BooksUpload> {
  const { db } = deps.database;
  const bytes = await readBytes(stream);
  const rememberedColumns = await loadRememberedColumns(db, uploader.companyId);
  const { open, inspected } = await rejectUnreadableFile(async () => {
    const openedTable = await openTable(bytes, fileName);
    return { open: openedTable, inspected: await inspectBooksTable(openedTable, rememberedColumns) };
  });
  const upload = { companyId: uploader.companyId, id: randomUUID(), fileName, bytes, uploadedBy: uploader.actor.userId };
  const row: PendingRow = { ...upload, table: inspected.table, waitsFor: 'columns', uploadedAt: deps.clock.now() };
  if (!inspected.isSettled) return storePendingUpload(deps, uploader, row);
  // If the file follows the template, errors are corrected in the file. In any other file the columns may be wrong, so keep it pending.
  if (!inspected.isTemplate) await storePendingUpload(deps, uploader, row);
  return useBooks(deps, uploader, row, open, { acceptsGaps: false });
}

type ChosenBooksColumns = Pick<BooksTable, 'sheet' | 'headerLine' | 'fixedKind' | 'fixedTreatment' | 'kinds' | 'treatments'> & {
  readonly columns: BooksTable['columns'] | undefined;
};

/** Applies a user's choice of columns and values. Without columns, suggests those of the chosen sheet or header. */
export async function mapBooksColumns(
  deps: AppDeps,
  uploader: Uploader,
  input: Omit<ParsedEndpointInput<typeof booksApi.map>, 'company_id'>,
): Promise<BooksUpload> {
  const { db } = deps.database;
  const chosenColumns: ChosenBooksColumns = {
    sheet: input.sheet,
    headerLine: input.header_line,
    columns: input.columns,
    fixedKind: input.fixed_kind,
    fixedTreatment: input.fixed_treatment,
    kinds: input.kinds,
    treatments: input.treatments,
  };
  const row = await loadPendingUpload(db, uploader.companyId, input.upload_id);
  const rememberedColumns = await loadRememberedColumns(db, uploader.companyId);
  const open = await openTable(row.bytes, row.fileName);
  const { sheet, headerLine } = chosenColumns;
  const { table } = await rejectUnreadableFile(() => inspectBooksTable(open, rememberedColumns, { sheet, headerLine }));
  if (chosenColumns.columns === undefined) return storePendingUpload(deps, uploader, { ...row, table, waitsFor: 'columns' });
  assertColumnsArePossible(chosenColumns, table);
  const chosenMeanings = { kinds: toMeanings(chosenColumns.kinds), treatments: toMeanings(chosenColumns.treatments) };
  const memory: RememberedBooksColumns = {
    columns: rememberTargets(rememberedColumns.columns, table.headings, chosenColumns.columns),
    kinds: { ...rememberedColumns.kinds, ...chosenMeanings.kinds },
    treatments: { ...rememberedColumns.treatments, ...chosenMeanings.treatments },
  };
  const mappedTable: BooksTable = { ...table, ...chosenColumns, columns: chosenColumns.columns };
  // A different column can have values whose meaning isn't known yet.
  const values = await listBooksValues(open, mappedTable, memory);
  const next: PendingRow = { ...row, table: { ...mappedTable, ...values }, waitsFor: 'columns' };
  await db.transaction(async (tx) => {
    await tx
      .insert(booksColumns)
      .values({ companyId: uploader.companyId, remembered: memory })
      .onConflictDoUpdate({ target: booksColumns.companyId, set: { remembered: memory } });
    await recordTaxpayerAudit(tx, uploader, {
      at: deps.clock.now(),
      actor: uploader.actor.userId,
      action: 'books.columns_chosen',
      subject: row.id,
      after: { headings: table.headings, columns: chosenColumns.columns, ...chosenMeanings },
      ip: uploader.ip,
    });
  });
  const storedUpload = await storePendingUpload(deps, uploader, next);
  const isKnown = [...values.kinds, ...values.treatments].every(({ meaning }) => meaning !== null);
  return isKnown ? useBooks(deps, uploader, next, open, { acceptsGaps: false }) : storedUpload;
}

/** Applies a file that covers only part of a period. */
export async function applyPendingBooks(deps: AppDeps, uploader: Uploader, uploadId: string): Promise<BooksUpload> {
  const row = await loadPendingUpload(deps.database.db, uploader.companyId, uploadId);
  if (row.waitsFor !== 'incomplete')
    throw new AppError('conflict', 'books.columns_unknown', 'Choose what each column in the file means first.');
  return useBooks(deps, uploader, row, await openTable(row.bytes, row.fileName), { acceptsGaps: true });
}

export async function discardPendingBooks(db: Db | Tx, companyId: string, uploadId: string): Promise<void> {
  await db.delete(booksUploads).where(and(eq(booksUploads.companyId, companyId), eq(booksUploads.id, uploadId)));
}

/** Deletes pending files after the same retention period as import rows. */
export async function purgePendingBooks({ database, clock }: AppDeps): Promise<void> {
  await database.db.delete(booksUploads).where(lt(booksUploads.uploadedAt, getRowsCutOff(clock.now())));
}

/** Reads the whole file first, so that nothing is written for a file that is rejected or stays pending. */
async function useBooks(
  deps: AppDeps,
  uploader: Uploader,
  row: PendingRow,
  openedTable: OpenTable,
  { acceptsGaps }: { readonly acceptsGaps: boolean },
): Promise<BooksUpload> {
  const { companyId } = uploader;
  const reading = readBooksTable(openedTable, row.table);
  const dates = new Set<PlainDate>();
  for await (const rows of reading.batches) for (const { date } of rows) dates.add(date);
  const { errors } = reading.summary();
  if (errors.length > 0) throw createFileRejectedError(errors.map((error) => ({ ...error, column: toHeading(error.column, row.table) })));
  const gaps = acceptsGaps ? [] : await findGaps(deps, companyId, dates);
  if (gaps.length > 0) return storePendingUpload(deps, uploader, { ...row, table: { ...row.table, gaps }, waitsFor: 'incomplete' });
  const file = await applyBooksFile(
    deps,
    uploader.actor,
    { companyId, practiceId: uploader.practiceId, fileName: row.fileName, read: () => readBooksTable(openedTable, row.table) },
    uploader.ip,
  );
  return { file, pending: null, left_out_lines: [...reading.leftOut] };
}

/** Returns the file's own heading for a column that an error names. */
function toHeading(column: string, { columns, headings }: BooksTable): string {
  const heading = headings[columns.findIndex((target) => target === column)] ?? '';
  return heading === '' ? column : heading.toLowerCase() === column ? column : heading;
}

async function findGaps(deps: AppDeps, companyId: string, dates: ReadonlySet<PlainDate>): Promise<CoverageGap[]> {
  const periods = await deps.database.db
    .selectDistinct({ periodStart: obligations.periodStart, periodEnd: obligations.periodEnd })
    .from(obligations)
    .where(and(eq(obligations.companyId, companyId), eq(obligations.status, 'open'), IS_STILL_EXPECTED));
  return findCoverageGaps(periods, dates, deps.clock.today());
}

/**
 * Stores a pending file. Also records it in the audit trail, the only place where the practice's SQL statements can see it
 * (client-imports/retention-reasons.ts).
 */
async function storePendingUpload({ database, clock }: AppDeps, uploader: Uploader, row: PendingRow): Promise<BooksUpload> {
  await database.db.transaction(async (tx) => {
    const [earlierUpload] = await tx.select({ id: booksUploads.id }).from(booksUploads).where(eq(booksUploads.companyId, row.companyId));
    await tx.insert(booksUploads).values(row).onConflictDoUpdate({ target: booksUploads.companyId, set: row });
    if (earlierUpload?.id === row.id) return;
    await recordTaxpayerAudit(tx, uploader, {
      at: clock.now(),
      actor: uploader.actor.userId,
      action: 'books.file_received',
      subject: row.id,
      after: { file_name: row.fileName, waits_for: row.waitsFor },
      ip: uploader.ip,
    });
  });
  return { file: null, pending: toPendingOutput(row), left_out_lines: [] };
}

async function loadPendingUpload(db: Db, companyId: string, uploadId: string): Promise<PendingRow> {
  const [row] = await db
    .select()
    .from(booksUploads)
    .where(and(eq(booksUploads.companyId, companyId), eq(booksUploads.id, uploadId)));
  if (!row) throw createNotFoundError();
  return row;
}

export async function findPendingBooks(db: Db, companyId: string): Promise<PendingBooks | null> {
  const [row] = await db.select(PENDING_COLUMNS).from(booksUploads).where(eq(booksUploads.companyId, companyId));
  return row ? toPendingOutput(row) : null;
}

/** All columns except the file's bytes. */
const PENDING_COLUMNS = {
  id: booksUploads.id,
  fileName: booksUploads.fileName,
  table: booksUploads.table,
  waitsFor: booksUploads.waitsFor,
  uploadedAt: booksUploads.uploadedAt,
};

async function loadRememberedColumns(db: Db, companyId: string): Promise<RememberedBooksColumns> {
  const [savedColumns] = await db.select().from(booksColumns).where(eq(booksColumns.companyId, companyId));
  return savedColumns?.remembered ?? EMPTY_REMEMBERED_COLUMNS;
}

function toPendingOutput({
  id,
  fileName,
  uploadedAt,
  waitsFor,
  table,
}: Omit<PendingRow, 'bytes' | 'companyId' | 'uploadedBy'>): PendingBooks {
  return {
    upload_id: id,
    file_name: fileName,
    uploaded_at: uploadedAt,
    waits_for: waitsFor,
    table: {
      sheet: table.sheet,
      sheets: [...table.sheets],
      header_line: table.headerLine,
      first_lines: [...table.firstLines],
      columns: table.headings.map((heading, index) => ({
        heading,
        samples: [...(table.samples[index] ?? [])],
        target: table.columns[index] ?? null,
      })),
      fixed_kind: table.fixedKind,
      fixed_treatment: table.fixedTreatment,
      kinds: [...table.kinds],
      treatments: [...table.treatments],
    },
    gaps: table.gaps.map(({ periodStart, periodEnd, first, last }) => ({
      period_start: periodStart,
      period_end: periodEnd,
      first_date: first,
      last_date: last,
    })),
  };
}

function assertColumnsArePossible(chosenColumns: ChosenBooksColumns, { headings }: BooksTable): void {
  const columns = chosenColumns.columns ?? [];
  if (columns.length !== headings.length)
    throw createInvalidFieldError('columns', `Choose what each of the ${headings.length} columns contains.`);
  const missingColumns = listMissingColumns(columns, chosenColumns);
  if (missingColumns.length > 0)
    throw createInvalidFieldError('columns', `Choose which column contains this: ${missingColumns.join(', ')}.`);
}

function toMeanings<Meaning>(values: readonly { readonly text: string; readonly meaning: Meaning | null }[]): Record<string, Meaning> {
  return Object.fromEntries(values.flatMap(({ text, meaning }) => (meaning === null ? [] : [[normaliseHeading(text), meaning]])));
}

async function rejectUnreadableFile<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    throw createFileRejectedError([{ line: error.line, column: error.column, reason: error.message }]);
  }
}

const MAX_SENT_ERRORS = 1_000;

function createFileRejectedError(errors: readonly { line: number; column: string; reason: string }[]): AppError {
  const [first] = errors;
  // An error that concerns a whole line or file has no column.
  const firstErrorText = first ? ` Line ${first.line}${first.column && `, ${first.column}`}: ${first.reason}` : '';
  return new AppError(
    'impossible',
    'books.file_rejected',
    `We couldn’t import the file because of ${errors.length === 1 ? 'an error' : `${errors.length.toLocaleString('en-GB')} errors`}.${firstErrorText}`,
    { errors: errors.slice(0, MAX_SENT_ERRORS), groups: groupRowErrors(errors), error_count: errors.length },
  );
}

/** The size of the body has already been limited. */
async function readBytes(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  // The chunks are copied, because the stream may reuse its buffer.
  for await (const chunk of stream) chunks.push(chunk.slice());
  return Buffer.concat(chunks);
}
