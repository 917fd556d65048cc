/**
 * Reconciliation exceptions: unmatched credits, shortfalls and late repayments. They are derived from the stored data, so none has to be
 * raised by hand.
 */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
import type { Db } from '@portal/db/database.ts';
import {
  advances,
  bankCredits,
  companies,
  filings,
  reconciliationNotes,
  obligations,
  shortfallRecoveries,
  users,
} from '@portal/db/schema/schema.ts';
import {
  isMatchable,
  MATCHABLE_STATES,
  getOutstandingRefund,
  settleCredit,
  type MatchableState,
} from '@portal/domain/advances/settle-credit.ts';
import { toInstant, londonDate } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import { addDays } from '@portal/domain/plain-date.ts';
import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';

type ReconciliationException = EndpointOutput<typeof reconciliationExceptionsApi.list>['matters'][number];

/** More than one person can work through. `count` is the total number. */
const MAX_SHOWN = 200;

export async function listReconciliationExceptions(deps: AppDeps): Promise<EndpointOutput<typeof reconciliationExceptionsApi.list>> {
  const { db } = deps.database;
  const awaitingAdvances = await listAwaitingAdvances(db);
  const credits = await listCredits(db, awaitingAdvances);
  const missing = awaitingAdvances.flatMap((advance) => toMissingRepayment(deps, advance));
  const all = [...credits, ...missing].toSorted((a, b) => (a.since < b.since ? -1 : 1));
  const shown = all.slice(0, MAX_SHOWN);
  const notes = await loadNotes(db, shown);
  return { matters: shown.map((item) => ({ ...item, notes: notes.get(item.subject_id) ?? [] })), count: all.length };
}

type AwaitingAdvance = Awaited<ReturnType<typeof listAwaitingAdvances>>[number];

/** The advances that still expect money, with the sum received and the day on which HMRC was expected to repay. */
async function listAwaitingAdvances(db: Db) {
  const received = sql<number>`coalesce((select sum(${bankCredits.amountPence}) from ${bankCredits} where ${bankCredits.companyId} = ${advances.companyId} and ${bankCredits.advanceId} = ${advances.id}), 0) + coalesce((select sum(${shortfallRecoveries.amountPence}) from ${shortfallRecoveries} where ${shortfallRecoveries.companyId} = ${advances.companyId} and ${shortfallRecoveries.advanceId} = ${advances.id}), 0)`;
  const rows = await db
    .select({
      advance: advances,
      companyName: companies.name,
      periodStart: obligations.periodStart,
      periodEnd: obligations.periodEnd,
      filedAt: filings.sentAt,
      received: received.mapWith(Number),
    })
    .from(advances)
    .innerJoin(companies, eq(companies.id, advances.companyId))
    .innerJoin(obligations, and(eq(obligations.companyId, advances.companyId), eq(obligations.id, advances.obligationId)))
    .leftJoin(filings, and(eq(filings.companyId, advances.companyId), eq(filings.id, advances.filingId)))
    .where(inArray(advances.state, [...MATCHABLE_STATES]))
    .orderBy(asc(advances.paidAt));
  return rows.flatMap(({ advance, filedAt, received: receivedSum, ...row }) => {
    const { state } = advance;
    if (!isMatchable(state)) return [];
    const filedOn = advance.foundOn ?? londonDate(filedAt ?? advance.quotedAt);
    return [{ ...row, advance: { ...advance, state }, received: pence(receivedSum), expectedOn: addDays(filedOn, advance.repaymentDays) }];
  });
}

async function listCredits(db: Db, awaitingAdvances: readonly AwaitingAdvance[]): Promise<ReconciliationException[]> {
  const rows = await db
    .select({ credit: bankCredits, companyName: companies.name })
    .from(bankCredits)
    .innerJoin(companies, eq(companies.id, bankCredits.companyId))
    .where(and(isNull(bankCredits.advanceId), isNull(bankCredits.returnedAt)))
    .orderBy(asc(bankCredits.receivedAt));
  return rows.map(({ credit, companyName }) => ({
    kind: 'credit',
    subject_id: credit.id,
    company_id: credit.companyId,
    company_name: companyName,
    amount_pence: credit.amountPence,
    since: credit.receivedAt,
    remitter: credit.remitter,
    reference: credit.reference,
    refund_pence: null,
    expected_on: null,
    candidates: awaitingAdvances
      .filter(({ advance }) => advance.companyId === credit.companyId)
      .map(({ advance, received, periodStart, periodEnd }) => {
        const { state, refundPence: refund } = advance;
        const { applied, surplus, missing } = settleCredit(credit.amountPence, { state, refund, received });
        return {
          advance_id: advance.id,
          period_start: periodStart,
          period_end: periodEnd,
          state,
          refund_pence: refund,
          applied_pence: applied,
          surplus_pence: surplus,
          missing_pence: missing,
        };
      }),
    notes: [],
  }));
}

/** An advance is an exception if HMRC repaid less, or nothing by the expected day. */
function toMissingRepayment(deps: AppDeps, { advance, companyName, received, expectedOn }: AwaitingAdvance): ReconciliationException[] {
  const state: MatchableState = advance.state;
  const isLate = state === 'awaiting_hmrc' && expectedOn < deps.clock.today();
  if (state === 'awaiting_hmrc' && !isLate) return [];
  return [
    {
      kind: isLate ? 'overdue' : 'shortfall',
      subject_id: advance.id,
      company_id: advance.companyId,
      company_name: companyName,
      amount_pence: getOutstandingRefund({ refund: advance.refundPence, received }),
      since: isLate ? toInstant(Date.parse(`${addDays(expectedOn, 1)}T00:00:00Z`)) : advance.updatedAt,
      remitter: null,
      reference: null,
      refund_pence: advance.refundPence,
      expected_on: expectedOn,
      candidates: [],
      notes: [],
    },
  ];
}

async function loadNotes(db: Db, matters: readonly ReconciliationException[]): Promise<Map<string, ReconciliationException['notes']>> {
  if (matters.length === 0) return new Map();
  const rows = await db
    .select({ note: reconciliationNotes, by: users.fullName })
    .from(reconciliationNotes)
    .innerJoin(users, eq(users.id, reconciliationNotes.by))
    .where(
      and(
        inArray(reconciliationNotes.companyId, [...new Set(matters.map(({ company_id }) => company_id))]),
        inArray(
          reconciliationNotes.subjectId,
          matters.map(({ subject_id }) => subject_id),
        ),
      ),
    )
    .orderBy(asc(reconciliationNotes.at));
  const notes = new Map<string, ReconciliationException['notes']>();
  for (const { note, by } of rows) notes.set(note.subjectId, [...(notes.get(note.subjectId) ?? []), { text: note.text, by, at: note.at }]);
  return notes;
}
