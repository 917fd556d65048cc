/**
 * Errors in earlier returns: rows that are missing from a filed return or have changed since. A user corrects them on a later return, up to
 * HMRC's limit for the net error, records that they were reported to HMRC, or leaves them out with a reason.
 */
import { randomUUID } from 'node:crypto';
import type { CorrectionsOutput, LateRowOutput } from '@portal/contract/vat-returns.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { returnCorrections, users } from '@portal/db/schema/schema.ts';
import { AppError, createInvalidFieldError } from '@portal/domain/app-error.ts';
import { formatPounds, type Pence, pence, sumPence } from '@portal/domain/money.ts';
import { canCorrectOnNextReturn, getErrorCorrectionLimit } from '@portal/domain/uk-tax/vat/error-correction.ts';
import type { CorrectionRoute } from '@portal/domain/vat-returns/correction-routes.ts';
import type { FiledRow, LateRow } from '@portal/domain/vat-returns/late-rows.ts';
import { canAdjust } from '@portal/domain/vat-returns/return-state.ts';
import { and, eq, inArray, isNull } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import { endChangedApprovals } from '../return-approvals/end-changed-approvals.ts';
import type { ActingUser } from '../hmrc-connection/with-trader-access-token.ts';
import type { ReturnKey } from './adjustment-queries.ts';
import { updateErrorCorrection } from './adjustments.ts';
import { getReturnSnapshot, type ReturnSnapshot } from './get-return.ts';
import { lockTaxpayer, recordTaxpayerAudit, type Taxpayer } from './taxpayer.ts';
import { type CorrectionRow, type FiledPeriod, listFiledPeriods } from './late-row-queries.ts';

export async function getCorrections(deps: AppDeps, key: ReturnKey): Promise<CorrectionsOutput> {
  const { db } = deps.database;
  const snapshot = await getReturnSnapshot(deps, db, key.companyId, key.obligationId);
  const periods = await listFiledPeriods(deps, db, snapshot.obligation, snapshot.file);
  const decidedRows = await describeDecisions(deps, db, key.companyId, periods);
  const { owedToHmrc, owedToTrader, net } = sumErrors(periods, key.obligationId);
  const box6 = snapshot.figures?.boxes.box6_pounds;
  return {
    periods: periods.map(({ obligation, lateRows, decisions, correctUntil, isTooOld, isTooMany, hasOtherBoxes }) => ({
      obligation_id: obligation.id,
      period_start: obligation.periodStart,
      period_end: obligation.periodEnd,
      correct_until: correctUntil,
      too_old: isTooOld,
      too_many: isTooMany,
      rows: [
        ...lateRows.map((row) => ({ ...toLateRowOutput(row), decision: null })),
        ...decisions.map((row) => ({ ...toLateRowOutput(toLateRow(row)), decision: decidedRows.get(row.id) ?? null })),
      ],
      boxes_differ: hasOtherBoxes,
    })),
    owed_to_hmrc_pence: owedToHmrc,
    owed_to_trader_pence: owedToTrader,
    net_error_pence: net,
    limit:
      box6 === undefined
        ? null
        : { limit_pence: getErrorCorrectionLimit(box6), box6_pounds: box6, is_within: canCorrectOnNextReturn(net, box6) },
    can_change: canAdjust(snapshot.state),
  };
}

export type CorrectionDecision = { readonly keys: readonly string[]; readonly route: CorrectionRoute; readonly note: string | undefined };

/** Stores the decision for all rows or none. Throws if a row has already been decided or is no longer in the books. */
export async function decideCorrections(deps: AppDeps, user: ActingUser, key: ReturnKey, decision: CorrectionDecision): Promise<void> {
  const { route, note } = decision;
  if (route !== 'return' && note === undefined)
    throw createInvalidFieldError(
      'note',
      route === 'reported' ? 'Enter when and how you reported it to HMRC.' : 'Enter why these rows aren’t errors.',
    );
  await deps.database.db.transaction(async (tx) => {
    await lockTaxpayer(tx, key);
    const snapshot = await getReturnSnapshot(deps, tx, key.companyId, key.obligationId);
    assertReturnOpen(snapshot, route);
    const periods = await listFiledPeriods(deps, tx, snapshot.obligation, snapshot.file);
    const chosenRows = findRows(periods, decision);
    if (route === 'return') assertWithinLimit(sumErrors(periods, key.obligationId).net, snapshot);
    const decidedAt = deps.clock.now();
    await tx.insert(returnCorrections).values(
      chosenRows.map(({ period, row }) => ({
        companyId: key.companyId,
        id: randomUUID(),
        sourceObligationId: period.obligation.id,
        key: row.key,
        kind: row.kind,
        filedRow: row.filed,
        row: row.now,
        duePence: row.due,
        route,
        obligationId: key.obligationId,
        note: note ?? '',
        decidedBy: user.actor.userId,
        decidedAt,
      })),
    );
    if (route === 'return') {
      await updateErrorCorrection(deps, tx, key, user.actor.userId);
      await endChangedApprovals(deps, tx, key, [key.obligationId]);
    }
    await recordTaxpayerAudit(tx, key, {
      at: decidedAt,
      actor: user.actor.userId,
      action: AUDIT_ACTIONS[route],
      subject: key.obligationId,
      after: { rows: chosenRows.map(({ row }) => row), net_pence: sumPence(chosenRows.map(({ row }) => row.due)), note: note ?? null },
      ip: user.caller.ip,
    });
  });
}

const AUDIT_ACTIONS: Readonly<Record<CorrectionRoute, string>> = {
  return: 'return.correction_included',
  reported: 'return.correction_reported',
  left_out: 'return.correction_left_out',
};

/** Undoes a decision, so that the row needs one again. Corrections on a return that is filed or being filed can't be undone. */
export async function undoCorrection(deps: AppDeps, user: ActingUser, taxpayer: Taxpayer, correctionId: string): Promise<void> {
  const { companyId } = taxpayer;
  await deps.database.db.transaction(async (tx) => {
    await lockTaxpayer(tx, taxpayer);
    const isThisOne = and(eq(returnCorrections.companyId, companyId), eq(returnCorrections.id, correctionId));
    const [foundCorrection] = await tx
      .select()
      .from(returnCorrections)
      .where(and(isThisOne, isNull(returnCorrections.undoneAt)));
    if (!foundCorrection) throw createNotFoundError();
    const { state } = await getReturnSnapshot(deps, tx, companyId, foundCorrection.obligationId);
    if (foundCorrection.route === 'return' && !canUndo(state))
      throw new AppError(
        'conflict',
        'return.correction_filed',
        'The return with this correction is filed or being filed, so the correction can’t be undone.',
      );
    const at = deps.clock.now();
    await tx.update(returnCorrections).set({ undoneBy: user.actor.userId, undoneAt: at }).where(isThisOne);
    const key = { ...taxpayer, obligationId: foundCorrection.obligationId };
    if (foundCorrection.route === 'return') {
      await updateErrorCorrection(deps, tx, key, user.actor.userId);
      await endChangedApprovals(deps, tx, key, [key.obligationId]);
    }
    await recordTaxpayerAudit(tx, taxpayer, {
      at,
      actor: user.actor.userId,
      action: 'return.correction_undone',
      subject: foundCorrection.obligationId,
      before: {
        correction: foundCorrection.id,
        route: foundCorrection.route,
        due_pence: foundCorrection.duePence,
        note: foundCorrection.note,
      },
      ip: user.caller.ip,
    });
  });
}

/**
 * Rejects a return whose corrections HMRC doesn't allow any more: box 6 has become smaller since they were included, more errors have been
 * found (the net is that of all errors known at the end of the period, VAEC7150), or an error has become too old.
 */
export async function assertErrorsWithinLimit(deps: AppDeps, db: Db | Tx, snapshot: ReturnSnapshot): Promise<void> {
  const { obligation, file, adjustments } = snapshot;
  const correction = adjustments.find(({ kind }) => kind === 'error_correction');
  if (!correction) return;
  assertWithinLimit(correction.amountPence, snapshot);
  const periods = await listFiledPeriods(deps, db, obligation, file);
  assertWithinLimit(sumErrors(periods, obligation.id).net, snapshot);
  const isIncluded = ({ route, obligationId }: CorrectionRow) => route === 'return' && obligationId === obligation.id;
  if (periods.some(({ isTooOld, decisions }) => isTooOld && decisions.some(isIncluded))) throw createTooOldError();
}

function createTooOldError(): AppError {
  return new AppError(
    'conflict',
    'return.correction_too_old',
    'Errors can be corrected for up to four years after the end of their period, and input tax can be claimed for four years after the return’s due date. Leave out the ones that are older.',
  );
}

function assertWithinLimit(net: Pence, { figures }: ReturnSnapshot): void {
  if (!figures || canCorrectOnNextReturn(net, figures.boxes.box6_pounds)) return;
  const limit = formatPounds(getErrorCorrectionLimit(figures.boxes.box6_pounds));
  throw new AppError(
    'conflict',
    'return.error_too_large',
    `The net error is ${formatPounds(pence(Math.abs(net)))}. HMRC allows at most ${limit} on this return. Report these errors to HMRC separately.`,
  );
}

function assertReturnOpen({ state }: ReturnSnapshot, route: CorrectionRoute): void {
  if (canAdjust(state) || (state === 'no_books' && route !== 'return')) return;
  if (state === 'no_books')
    throw new AppError('conflict', 'return.no_books', 'Upload the books for this period first. Then you can include corrections.');
  throw new AppError('conflict', 'return.not_open', 'This return is filed or being filed, so it can’t be changed. Use the next one.');
}

const canUndo = (state: ReturnSnapshot['state']): boolean => canAdjust(state) || state === 'no_books';

type ChosenRow = { readonly period: FiledPeriod; readonly row: LateRow };

function findRows(periods: readonly FiledPeriod[], { keys, route }: CorrectionDecision): ChosenRow[] {
  const offeredRows = periods.flatMap((period) => period.lateRows.map((row) => ({ period, row })));
  return [...new Set(keys)].map((key) => {
    const offeredRow = offeredRows.find(({ row }) => row.key === key);
    if (!offeredRow)
      throw new AppError(
        'conflict',
        'return.correction_gone',
        'These rows have changed since you opened the page. Check the updated rows.',
      );
    if (route === 'return' && offeredRow.period.isTooOld) throw createTooOldError();
    return offeredRow;
  });
}

/**
 * Adds up the errors known when a return is prepared: those included in it and those without a decision. HMRC's limit applies to the net of
 * all of them, so postponing one row doesn't bring the rest below it (VAEC7150).
 */
function sumErrors(periods: readonly FiledPeriod[], obligationId: string) {
  const dues = periods.flatMap(({ lateRows, decisions, isTooOld }) => [
    ...(isTooOld ? [] : lateRows.map(({ due }) => due)),
    ...decisions.filter((row) => row.route === 'return' && row.obligationId === obligationId).map(({ duePence }) => duePence),
  ]);
  const owedToHmrc = sumPence(dues.filter((due) => due > 0));
  const owedToTrader = pence(-sumPence(dues.filter((due) => due < 0)));
  return { owedToHmrc, owedToTrader, net: pence(owedToHmrc - owedToTrader) };
}

function toLateRow({ key, kind, filedRow, row, duePence }: CorrectionRow): LateRow {
  return { key, kind, filed: filedRow, now: row, due: duePence };
}

function toLateRowOutput({ key, kind, filed, now, due }: LateRow): Omit<LateRowOutput, 'decision'> {
  return { key, kind, type: (now ?? filed)?.kind ?? 'sale', filed: toRowOutput(filed), now: toRowOutput(now), due_pence: due };
}

function toRowOutput(row: FiledRow | null): LateRowOutput['now'] {
  if (row === null) return null;
  const { date, reference, counterparty, description, treatment, net_pence, vat_pence } = row;
  return { date, reference, counterparty, description, treatment, net_pence, vat_pence };
}

async function describeDecisions(
  deps: AppDeps,
  db: Db | Tx,
  companyId: string,
  periods: readonly FiledPeriod[],
): Promise<ReadonlyMap<string, NonNullable<LateRowOutput['decision']>>> {
  const decisions = periods.flatMap((period) => period.decisions);
  if (decisions.length === 0) return new Map();
  const deciders = await db
    .select({ id: users.id, name: users.fullName })
    .from(users)
    .where(inArray(users.id, [...new Set(decisions.map(({ decidedBy }) => decidedBy))]));
  const returns = await Promise.all(
    [...new Set(decisions.map(({ obligationId }) => obligationId))].map((id) => getReturnSnapshot(deps, db, companyId, id)),
  );
  return new Map(
    decisions.flatMap((row) => {
      const target = returns.find(({ obligation }) => obligation.id === row.obligationId);
      if (!target) return [];
      return [
        [
          row.id,
          {
            correction_id: row.id,
            route: row.route,
            obligation_id: row.obligationId,
            period_end: target.obligation.periodEnd,
            note: row.note,
            decided_by: deciders.find(({ id }) => id === row.decidedBy)?.name ?? '',
            decided_at: row.decidedAt,
            can_undo: row.route !== 'return' || canUndo(target.state),
          },
        ] as const,
      ];
    }),
  );
}
