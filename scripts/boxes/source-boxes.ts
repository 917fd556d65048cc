/**
 * `npm run boxes -- --source`: starts a provider's simulator with a folder of recordings and reads it with the real client. Decision 54.
 */
import { computeDocumentBoxes } from '@portal/domain/connected-books/compute-document-boxes.ts';
import type { VatBasis } from '@portal/domain/connected-books/books-document.ts';
import type { RowError } from '@portal/domain/books/books-row.ts';
import { listCountingDates } from '@portal/domain/connected-books/date-parts.ts';
import type { Period } from '@portal/domain/vat-returns/accumulate-boxes.ts';
import type { ConnectedBooks } from '@portal/providers/connected-books/connected-books.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import { startSimulatorHost } from '@portal/sandbox/simulator/host-simulators.ts';
import { readRecordings } from './read-recordings.ts';
import type { SourceName } from './source-names.ts';
import { BOOKS_SOURCES } from './sources.ts';

export type SourceCommand = {
  readonly source: SourceName;
  readonly folder: string;
  readonly period: Period;
  readonly basis: VatBasis | undefined;
};

export type SourceTotals = ReturnType<typeof computeDocumentBoxes>;

/** Returns the totals for the period, or the reason why there are none. */
export async function computeSourceBoxes(command: SourceCommand): Promise<SourceTotals | { readonly errors: readonly RowError[] }> {
  const { source, folder, period } = command;
  const recordings = await readRecordings(folder, BOOKS_SOURCES[source].files);
  if ('errors' in recordings) return recordings;
  const { plugin, basePath, read } = BOOKS_SOURCES[source].host(recordings.recordings);
  const host = await startSimulatorHost([{ basePath, plugin }], 0, '127.0.0.1');
  try {
    return toTotals(await read(`${host.url}${basePath}`), period, command.basis);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return { errors: [toError(error.facts.operation, `${error.message}: ${error.facts.detail ?? 'no details'}`)] };
  } finally {
    await host.close();
  }
}

function toTotals(
  books: ConnectedBooks,
  period: Period,
  chosenBasis: VatBasis | undefined,
): SourceTotals | { errors: readonly RowError[] } {
  if (books.refusals.length > 0) return { errors: books.refusals.map(({ subject, reason }) => toError(subject, reason)) };
  const basis = chosenBasis ?? books.basis;
  if (basis === undefined)
    return { errors: [toError('--basis', 'the program doesn’t state the VAT basis: add --basis accrual or --basis cash')] };
  const errors = [...findUnreadableDocuments(books, period, basis), ...findUnmappedRates(books, period, basis)];
  return errors.length > 0 ? { errors } : computeDocumentBoxes(books.documents, period, basis);
}

/** Returns unusable documents that could count in the period; the rest don't matter. */
function findUnreadableDocuments({ unreadable }: ConnectedBooks, { from, to }: Period, basis: VatBasis): RowError[] {
  return unreadable
    .filter(({ document }) => !document || listCountingDates(document, basis).some((date) => date >= from && date <= to))
    .map(({ subject, reason }) => toError(subject, reason));
}

/**
 * Returns the unmapped rates of documents that count in the period; the rest don't matter. This command can't ask, so it counts what is
 * likely.
 */
function findUnmappedRates({ documents, unmapped }: ConnectedBooks, { from, to }: Period, basis: VatBasis): RowError[] {
  const problems = new Map<string, string>();
  for (const document of documents) {
    const problem = unmapped.get(document.id);
    if (!problem || problem.isLikely || document.status === 'draft') continue;
    if (listCountingDates(document, basis).some((date) => date >= from && date <= to)) problems.set(problem.subject, problem.reason);
  }
  return [...problems].map(([subject, reason]) => toError(subject, reason));
}

function toError(column: string, reason: string): RowError {
  return { line: 0, column, reason };
}
