/** Deletes books read from bookkeeping software that are no longer needed. */
import type { Tx } from '@portal/db/database.ts';
import { booksDrafts, booksFiles, booksRows, filings, obligations, periodFigures, returnApprovals } from '@portal/db/schema/schema.ts';
import { and, desc, eq, inArray, isNotNull, isNull, ne, notInArray, or, sql } from '@portal/db/sql.ts';
import type { BooksProviderName } from '@portal/domain/connected-books/books-providers.ts';
import type { AppDeps } from '../../app-deps.ts';
import { saveBooksTurnover } from '../books/save-books-turnover.ts';
import { endChangedApprovals } from '../return-approvals/end-changed-approvals.ts';
import type { Taxpayer } from '../vat-returns/taxpayer.ts';

/** A return filed elsewhere is compared with the books of that time, so the newest unused ones stay too. */
const MAX_UNUSED_SNAPSHOTS = 5;

/** Deletes what a killed job left behind. Only one job reads a company's books at a time. */
export async function deleteUnfinishedBooks(tx: Tx, companyId: string): Promise<void> {
  const remainingBooks = await tx
    .select({ id: booksFiles.id })
    .from(booksFiles)
    .where(and(eq(booksFiles.companyId, companyId), isNotNull(booksFiles.source), isNull(booksFiles.appliedAt)));
  await deleteFiles(tx, companyId, remainingBooks);
}

/** Books change every day, but only those used for a filed return, or approved for one that isn't filed yet, must be kept. */
export async function deleteUnusedBooks(tx: Tx, taxpayer: Taxpayer): Promise<void> {
  const { companyId } = taxpayer;
  const filedFiles = tx.select({ id: filings.fileId }).from(filings).where(eq(filings.companyId, companyId));
  const approvedFiles = await listApprovedFiles(tx, taxpayer);
  const unusedReads = await tx
    .select({ id: booksFiles.id })
    .from(booksFiles)
    .where(
      and(
        eq(booksFiles.companyId, companyId),
        isNotNull(booksFiles.source),
        isNotNull(booksFiles.appliedAt),
        notInArray(booksFiles.id, filedFiles),
        approvedFiles.length === 0 ? undefined : notInArray(booksFiles.id, approvedFiles),
      ),
    )
    .orderBy(desc(booksFiles.appliedAt))
    .offset(MAX_UNUSED_SNAPSHOTS);
  await deleteFiles(tx, companyId, unusedReads);
}

/** Lists the books of the last approval of each open return, with which the current ones are compared (vat-returns/document-changes.ts). */
async function listApprovedFiles(tx: Tx, { companyId: clientId, practiceId }: Taxpayer): Promise<string[]> {
  if (practiceId === null) return [];
  const approvals = await tx
    .selectDistinctOn([returnApprovals.obligationId], { fileId: returnApprovals.fileId })
    .from(returnApprovals)
    .innerJoin(obligations, and(eq(obligations.companyId, clientId), eq(obligations.id, returnApprovals.obligationId)))
    .where(
      and(
        eq(returnApprovals.companyId, practiceId),
        eq(returnApprovals.clientId, clientId),
        isNotNull(returnApprovals.decidedAt),
        eq(obligations.status, 'open'),
      ),
    )
    .orderBy(returnApprovals.obligationId, desc(returnApprovals.decidedAt));
  return approvals.flatMap(({ fileId }) => (fileId === null ? [] : [fileId]));
}

/** The organisation that now provides the client's books; undefined for none. */
export type KeptBooks = { readonly provider: BooksProviderName; readonly organisationId: string } | undefined;

/**
 * Withdraws data read from organisations that aren't (or are no longer) the client's, along with approvals of its figures. Books that a
 * return was filed from are kept for that return only. The caller holds the taxpayer's lock.
 */
export async function withdrawBooks(deps: AppDeps, tx: Tx, taxpayer: Taxpayer, keptBooks: KeptBooks): Promise<void> {
  const { companyId } = taxpayer;
  const isOther =
    keptBooks === undefined
      ? undefined
      : or(ne(booksFiles.source, keptBooks.provider), sql`${booksFiles.organisationId} is distinct from ${keptBooks.organisationId}`);
  const isWithdrawn = and(
    eq(booksFiles.companyId, companyId),
    isNotNull(booksFiles.source),
    isNotNull(booksFiles.appliedAt),
    isNull(booksFiles.withdrawnAt),
    isOther,
  );
  const withdrawnFiles = await tx
    .update(booksFiles)
    .set({ withdrawnAt: deps.clock.now() })
    .where(isWithdrawn)
    .returning({ id: booksFiles.id });
  if (withdrawnFiles.length === 0) return;
  const filedFiles = tx.select({ id: filings.fileId }).from(filings).where(eq(filings.companyId, companyId));
  const unusedReads = await tx
    .select({ id: booksFiles.id })
    .from(booksFiles)
    .where(and(eq(booksFiles.companyId, companyId), isNotNull(booksFiles.withdrawnAt), notInArray(booksFiles.id, filedFiles)));
  await deleteFiles(tx, companyId, unusedReads);
  await saveBooksTurnover(tx, deps, taxpayer, null);
  const periods = await tx.select({ id: obligations.id }).from(obligations).where(eq(obligations.companyId, companyId));
  await endChangedApprovals(
    deps,
    tx,
    taxpayer,
    periods.map(({ id }) => id),
  );
}

async function deleteFiles(tx: Tx, companyId: string, files: readonly { readonly id: string }[]): Promise<void> {
  if (files.length === 0) return;
  const ids = files.map(({ id }) => id);
  await tx.delete(booksDrafts).where(and(eq(booksDrafts.companyId, companyId), inArray(booksDrafts.fileId, ids)));
  await tx.delete(booksRows).where(and(eq(booksRows.companyId, companyId), inArray(booksRows.fileId, ids)));
  await tx.delete(periodFigures).where(and(eq(periodFigures.companyId, companyId), inArray(periodFigures.fileId, ids)));
  await tx.delete(booksFiles).where(and(eq(booksFiles.companyId, companyId), inArray(booksFiles.id, ids)));
}
