/** Everything we know about a return, for its screen and for decisions. */
import { createHash } from 'node:crypto';
import type { VatReturnOutput } from '@portal/contract/vat-returns.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import {
  booksFiles,
  booksRows,
  filings,
  hmrcReturns,
  obligations,
  periodFigures,
  users,
  type FiledBoxes,
} from '@portal/db/schema/schema.ts';
import { getAdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { evaluateRefundAtHmrc } from '@portal/domain/advances/refund-at-hmrc.ts';
import { findCoverageGaps } from '@portal/domain/books/find-coverage-gaps.ts';
import { toEpochMs, type Instant } from '@portal/domain/clock.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { DECLARATIONS } from '@portal/domain/vat-returns/declarations.ts';
import { listBoxDifferences } from '@portal/domain/vat-returns/compare-boxes.ts';
import { getReturnState, type FilingState, type ReturnState } from '@portal/domain/vat-returns/return-state.ts';
import { reviewReturn } from '@portal/domain/vat-returns/review-return.ts';
import { and, between, desc, eq, inArray, lt, max, min } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import { countChanges, findComparison } from './document-changes.ts';
import { findRefundCharge } from './find-found-return.ts';
import { findCurrentFile } from './period-figures.ts';
import { findProviderFindings } from './provider-findings.ts';
import { type AdjustmentRow, listAdjustments, listAdjustmentsForScreen } from './adjustment-queries.ts';
import { countLateRows } from './late-row-queries.ts';
import { toAdjustedBoxes, toDomainBoxes, toNineBoxes } from './to-nine-boxes.ts';
import { isReturnSettled, listEarlierReturns } from './return-history.ts';
import type { Taxpayer } from './taxpayer.ts';

export type ObligationRow = typeof obligations.$inferSelect;
export type FilingRow = typeof filings.$inferSelect;

/** Figures from the books and adjustments; `booksBoxes` are from the books alone. */
export type Figures = {
  readonly boxes: FiledBoxes;
  readonly booksBoxes: FiledBoxes;
  readonly rows: number;
  readonly flagged: number;
  readonly version: string;
};

export type ReturnSnapshot = {
  readonly obligation: ObligationRow;
  /** The current filing attempt. */
  readonly filing: FilingRow | undefined;
  /** Figures from the current books. Undefined if they have no rows in the period. */
  readonly figures: Figures | undefined;
  /** The return's adjustments, which `figures.boxes` includes. */
  readonly adjustments: readonly AdjustmentRow[];
  readonly file: typeof booksFiles.$inferSelect | undefined;
  readonly state: ReturnState;
};

/**
 * Returns whether an attempt's call has ended without a stored response: its time is up, or its process is gone. With the embedded
 * database, a new process means that the old one has died.
 */
export function isAttemptLost(deps: AppDeps, filing: { state: FilingState; instanceId: string; callDeadlineAt: Instant }): boolean {
  if (filing.state !== 'sending') return false;
  const hasProcessEnded = deps.database.kind === 'embedded' && filing.instanceId !== deps.instanceId;
  return hasProcessEnded || toEpochMs(deps.wallClock.now()) > toEpochMs(filing.callDeadlineAt);
}

export async function getReturnSnapshot(deps: AppDeps, db: Db | Tx, companyId: string, obligationId: string): Promise<ReturnSnapshot> {
  const [obligation] = await db
    .select()
    .from(obligations)
    .where(and(eq(obligations.companyId, companyId), eq(obligations.id, obligationId)));
  if (!obligation) throw createNotFoundError();
  const filing = await findCurrentFiling(db, companyId, obligationId);
  const file = await findCurrentFile(db, companyId);
  const [storedFigures] = file
    ? await db
        .select()
        .from(periodFigures)
        .where(and(eq(periodFigures.companyId, companyId), eq(periodFigures.obligationId, obligationId), eq(periodFigures.fileId, file.id)))
    : [];
  const adjustments = await listAdjustments(db, { companyId, obligationId });
  const amounts = adjustments.map(({ box, amountPence }) => ({ box, amount: amountPence }));
  const figures = storedFigures && {
    boxes: toAdjustedBoxes(storedFigures, amounts),
    booksBoxes: toNineBoxes(storedFigures),
    rows: storedFigures.rows,
    flagged: storedFigures.flagged,
    version: getFiguresVersion(storedFigures, adjustments),
  };
  const state = getReturnState(
    {
      periodEnd: obligation.periodEnd,
      fulfilled: obligation.status === 'fulfilled',
      hasFigures: figures !== undefined,
      attempt: filing && { state: filing.state, lost: isAttemptLost(deps, filing) },
    },
    deps.clock.today(),
  );
  return { obligation, filing, figures, adjustments, file, state };
}

/**
 * Finds the live or accepted attempt (there is at most one), otherwise the newest. A late response from HMRC can accept an older attempt.
 */
export async function findCurrentFiling(db: Db | Tx, companyId: string, obligationId: string): Promise<FilingRow | undefined> {
  const [filing] = await db
    .select()
    .from(filings)
    .where(and(eq(filings.companyId, companyId), eq(filings.obligationId, obligationId)))
    .orderBy(desc(inArray(filings.state, ['sending', 'unknown', 'accepted'])), desc(filings.sentAt))
    .limit(1);
  return filing;
}

/** Identifies exactly these figures from exactly this file, with exactly these adjustments. */
function getFiguresVersion(row: typeof periodFigures.$inferSelect, adjustments: readonly AdjustmentRow[]): string {
  const { fileId, obligationId, box1Pence, box2Pence, box4Pence, box6Pounds, box7Pounds, box8Pounds, box9Pounds } = row;
  const parts = [
    fileId,
    obligationId,
    box1Pence,
    box2Pence,
    box4Pence,
    box6Pounds,
    box7Pounds,
    box8Pounds,
    box9Pounds,
    ...adjustments.map(({ id }) => id),
  ];
  return createHash('sha256').update(parts.join(':')).digest('base64url').slice(0, 22);
}

/** Returns the return as its screen shows it: the filed figures once it is filed, otherwise those of the current books. */
export async function getReturnOutput(deps: AppDeps, taxpayer: Taxpayer, obligationId: string): Promise<VatReturnOutput> {
  const { companyId, practiceId } = taxpayer;
  const { db } = deps.database;
  const snapshot = await getReturnSnapshot(deps, db, companyId, obligationId);
  const { obligation, filing, figures, file, state } = snapshot;
  const activeFiling = filing && filing.state !== 'refused' && filing.state !== 'not_received' ? filing : undefined;
  const filedFile = activeFiling ? await findFile(db, companyId, activeFiling.fileId) : undefined;
  const hmrcBoxes = state === 'filed_elsewhere' ? await findHmrcReturn(db, companyId, obligationId) : undefined;
  const isOpen = !activeFiling && !hmrcBoxes;
  const lateRowCount = isOpen ? await countLateRows(deps, db, obligation, file) : 0;
  const boxes = activeFiling?.boxes ?? hmrcBoxes ?? figures?.boxes ?? null;
  const source = filedFile ?? (hmrcBoxes ? undefined : file);
  return {
    obligation: toObligationOutput(obligation, state, deps.clock.today()),
    boxes,
    figures_version: isOpen ? (figures?.version ?? null) : null,
    adjustments: hmrcBoxes ? [] : await listAdjustmentsForScreen(db, snapshot.adjustments),
    late_rows: lateRowCount,
    books_difference: hmrcBoxes && figures && file ? compareWithBooks(hmrcBoxes, figures.booksBoxes, file.fileName) : null,
    rows: figures?.rows ?? 0,
    flagged: figures?.flagged ?? 0,
    changes: await countChanges(db, snapshot, await findComparison(db, taxpayer, snapshot)),
    source: source?.appliedAt ? { file_name: source.fileName, applied_at: source.appliedAt, program: source.source } : null,
    checks: isOpen && figures ? await listFigureChecks(deps, snapshot, figures, lateRowCount) : [],
    declaration: practiceId === null ? DECLARATIONS.trader : DECLARATIONS.agent,
    receipt: activeFiling?.state === 'accepted' ? await getReceipt(db, activeFiling) : null,
    // Only traders can get advances.
    found: state === 'filed_elsewhere' && practiceId === null && boxes ? await evaluateFoundRefund(deps, obligation, boxes) : null,
    settled: (activeFiling?.state === 'accepted' || hmrcBoxes !== undefined) && (await isReturnSettled(db, obligation)),
    earlier: await listEarlierReturns(db, obligation),
    refusal: state === 'refused' || filing?.state === 'not_received' ? (filing?.refusal ?? null) : null,
    brand: deps.site.brand,
  };
}

/** Compares a return filed elsewhere with the books. Returns null if every box agrees. */
function compareWithBooks(filedBoxes: FiledBoxes, books: FiledBoxes, fileName: string): VatReturnOutput['books_difference'] {
  const boxes = listBoxDifferences(toDomainBoxes(filedBoxes), toDomainBoxes(books)).map(
    ({ box, filed: amount, books: booksAmount, difference }) => ({
      box,
      filed_pence: amount,
      books_pence: booksAmount,
      difference_pence: difference,
    }),
  );
  return boxes.length === 0 ? null : { file_name: fileName, boxes };
}

type ObligationColumns = Pick<ObligationRow, 'id' | 'periodStart' | 'periodEnd' | 'dueOn' | 'status' | 'receivedOn'>;

export function toObligationOutput(row: ObligationColumns, state: ReturnState, today: PlainDate): VatReturnOutput['obligation'] {
  return {
    obligation_id: row.id,
    period_start: row.periodStart,
    period_end: row.periodEnd,
    due_on: row.dueOn,
    status: row.status,
    received_on: row.receivedOn,
    state,
    overdue: row.status === 'open' && row.dueOn < today && state !== 'filed_awaiting_hmrc',
  };
}

async function findFile(db: Db, companyId: string, fileId: string): Promise<typeof booksFiles.$inferSelect | undefined> {
  const [file] = await db
    .select()
    .from(booksFiles)
    .where(and(eq(booksFiles.companyId, companyId), eq(booksFiles.id, fileId)));
  return file;
}

async function findHmrcReturn(db: Db, companyId: string, obligationId: string): Promise<FiledBoxes | undefined> {
  const [row] = await db
    .select()
    .from(hmrcReturns)
    .where(and(eq(hmrcReturns.companyId, companyId), eq(hmrcReturns.obligationId, obligationId)));
  return row && toNineBoxes(row);
}

async function evaluateFoundRefund(deps: AppDeps, obligation: ObligationRow, boxes: FiledBoxes): Promise<VatReturnOutput['found']> {
  if (boxes.direction !== 'repayment') return null;
  const charge = await findRefundCharge(deps.database.db, obligation.companyId, obligation);
  const today = deps.clock.today();
  const atHmrc = { receivedOn: obligation.receivedOn ?? undefined, ...(charge ? { charge } : {}) };
  const { outcome, finding } = evaluateRefundAtHmrc(boxes.box5_pence, atHmrc, getAdvanceTerms(today), today);
  return { refund: outcome === 'fail' ? 'gone' : 'open', finding };
}

async function listFigureChecks(
  deps: AppDeps,
  { obligation, file, adjustments }: ReturnSnapshot,
  figures: Figures,
  lateRows: number,
): Promise<VatReturnOutput['checks']> {
  const { clock } = deps;
  const { db } = deps.database;
  const { companyId } = obligation;
  const history = await listHistory(db, companyId, obligation.periodStart);
  const dates = file ? await findRowDates(db, obligation, file.id) : [];
  const [gap] = findCoverageGaps([obligation], dates, clock.today());
  return reviewReturn({
    boxes: toDomainBoxes(figures.boxes),
    history: history.map(toDomainBoxes),
    flaggedRows: figures.flagged,
    lateRows,
    gap,
    ...(file?.source ? await findProviderFindings(deps, { obligation, file, boxes: figures.boxes, adjustments }) : {}),
  }).map((check) => ({ ...check }));
}

/** Finds the first and last dates of the period's rows. */
async function findRowDates(db: Db, { companyId, periodStart, periodEnd }: ObligationRow, fileId: string): Promise<PlainDate[]> {
  const [dateRange] = await db
    .select({ first: min(booksRows.date), last: max(booksRows.date) })
    .from(booksRows)
    .where(and(eq(booksRows.companyId, companyId), eq(booksRows.fileId, fileId), between(booksRows.date, periodStart, periodEnd)));
  return dateRange?.first && dateRange.last ? [dateRange.first, dateRange.last] : [];
}

/** Lists the boxes of up to eight earlier returns that HMRC has, newest first. */
export async function listHistory(db: Db | Tx, companyId: string, beforeDate: PlainDate): Promise<FiledBoxes[]> {
  const rows = await db
    .select({ hmrcBoxes: hmrcReturns })
    .from(hmrcReturns)
    .innerJoin(obligations, and(eq(obligations.companyId, hmrcReturns.companyId), eq(obligations.id, hmrcReturns.obligationId)))
    .where(and(eq(hmrcReturns.companyId, companyId), lt(obligations.periodStart, beforeDate)))
    .orderBy(desc(obligations.periodEnd))
    .limit(8);
  return rows.map(({ hmrcBoxes }) => toNineBoxes(hmrcBoxes));
}

async function getReceipt(db: Db, filing: FilingRow): Promise<VatReturnOutput['receipt']> {
  const [user] = await db.select({ name: users.fullName }).from(users).where(eq(users.id, filing.filedBy));
  const receipt = filing.receipt;
  const toTextOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  return {
    form_bundle_number: toTextOrNull(receipt?.body['formBundleNumber']),
    processing_date: toTextOrNull(receipt?.body['processingDate']),
    payment_indicator: toTextOrNull(receipt?.body['paymentIndicator']),
    charge_ref_number: toTextOrNull(receipt?.body['chargeRefNumber']),
    receipt_id: toTextOrNull(receipt?.headers['receipt-id']),
    received_at: filing.settledAt ?? filing.sentAt,
    source: filing.receiptSource ?? 'read_back',
    filed_by: user?.name ?? '',
    declaration: filing.declaration,
  };
}
