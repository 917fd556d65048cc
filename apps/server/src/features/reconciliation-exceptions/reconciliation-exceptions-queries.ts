/**
 * Reconciliation exceptions: unmatched credits, shortfalls, late repayments, money owed to traders, GoCardless payouts that differ, and
 * payments that match none of our orders or left a collection account. They are derived from stored data, so no one has to enter them.
 */
import type { EndpointOutput, ParsedEndpointInput } from '@portal/contract/endpoint.ts';
import { EXCEPTION_KINDS, type reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
import type { Db } from '@portal/db/database.ts';
import {
  advances,
  approvalRequests,
  bankCredits,
  companies,
  filings,
  ledgerLines,
  ledgerPostings,
  obligations,
  payouts,
  reconciliationNotes,
  users,
} from '@portal/db/schema/schema.ts';
import { findCreditProblem, matchCredit, type MatchCandidate, type WrittenOffRefund } from '@portal/domain/advances/match-credit.ts';
import { isMatchable, MATCHABLE_STATES, getOutstandingRefund, type MatchableState } from '@portal/domain/advances/settle-credit.ts';
import { toInstant, toLondonDate, type Instant } from '@portal/domain/clock.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { addDays } from '@portal/domain/plain-date.ts';
import { and, asc, eq, inArray, isNull, lte, ne, or, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { RECEIVED_PENCE, listHeldCredits, listMatchCandidates, type CreditRow } from '../advances/credit-facts.ts';
import { listWrittenOffRefunds } from '../advances/written-off.ts';
import { UNALLOCATED_PENCE } from '../advances/unallocated-sql.ts';
import { NO_COMPANY } from '../audit/record-audit.ts';
import { listAccountCredits } from './account-credit-queries.ts';
import { listCollectionPayouts } from './collection-payout-queries.ts';
import { listDisputedPayouts } from './direct-debit-payout-queries.ts';
import { listFailedRefunds } from './failed-refund-queries.ts';
import { listRefusedPayouts } from './rejected-payout-queries.ts';
import { listSurpluses } from './surplus-queries.ts';
import { listUnrecordedPayouts } from './unrecorded-payout-queries.ts';
import { describeThirdPartyMoney, findThirdPartyMoney, type ThirdPartyMoney } from './third-party-money.ts';

type ReconciliationException = EndpointOutput<typeof reconciliationExceptionsApi.list>['matters'][number];

const PAGE_SIZE = 50;

export async function listReconciliationExceptions(
  deps: AppDeps,
  { kind, page }: ParsedEndpointInput<typeof reconciliationExceptionsApi.list>,
): Promise<EndpointOutput<typeof reconciliationExceptionsApi.list>> {
  const { db } = deps.database;
  const awaitingAdvances = await listAwaitingAdvances(db);
  const missingRepayments = awaitingAdvances.flatMap((advance) => toMissingRepayment(deps, advance));
  const payoutExceptions = (await listDisputedPayouts(db)).map(toPayoutException);
  const unrecordedPayouts = (await listUnrecordedPayouts(db)).map((found) => ({ ...NO_DETAILS, ...found }));
  const foundCredits = (await listAccountCredits(db)).map((found) => ({ ...NO_DETAILS, ...found }));
  const collectionPayouts = (await listCollectionPayouts(db)).map((found) => ({ ...NO_DETAILS, ...found }));
  const refusedPayouts = (await listRefusedPayouts(db)).map((found) => ({ ...NO_DETAILS, ...found }));
  const failedRefunds = (await listFailedRefunds(db)).map((found) => ({ ...NO_DETAILS, ...found }));
  const allExceptions = [
    ...(await listUndecidedCredits(db)),
    ...missingRepayments,
    ...(await listOwedToTraders(deps)),
    ...payoutExceptions,
    ...unrecordedPayouts,
    ...foundCredits,
    ...collectionPayouts,
    ...refusedPayouts,
    ...failedRefunds,
  ].toSorted((a, b) => (a.since < b.since ? -1 : 1));
  const chosenExceptions = kind === undefined ? allExceptions : allExceptions.filter((item) => item.kind === kind);
  const pageItems = await addCreditProblems(db, chosenExceptions.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE));
  const notes = await loadNotes(db, pageItems);
  const requestedSubjects = await listRequestedSubjects(db);
  return {
    matters: pageItems.map((item) => ({
      ...item,
      notes: notes.get(item.subject_id) ?? [],
      awaits_approval: requestedSubjects.has(item.subject_id),
    })),
    count: chosenExceptions.length,
    pages: Math.ceil(chosenExceptions.length / PAGE_SIZE),
    counts: countKinds(allExceptions),
  };
}

function countKinds(all: readonly Pick<ReconciliationException, 'kind'>[]): Record<ReconciliationException['kind'], number> {
  const count = (kind: ReconciliationException['kind']) => all.filter((item) => item.kind === kind).length;
  return Object.fromEntries(EXCEPTION_KINDS.map((kind) => [kind, count(kind)])) as Record<ReconciliationException['kind'], number>;
}

/** Lists subjects with an open request for any action. */
export async function listRequestedSubjects(db: Db): Promise<ReadonlySet<string>> {
  const rows = await db.select({ subject: approvalRequests.subject }).from(approvalRequests).where(isNull(approvalRequests.decidedAt));
  return new Set(rows.map(({ subject }) => subject));
}

/** Fields that only some kinds have. */
const NO_DETAILS = {
  currency: 'GBP',
  advance_id: null,
  resolutions: [] as ReconciliationException['resolutions'],
  remitter: null,
  reference: null,
  problem: null,
  refund_pence: null,
  expected_on: null,
  in_flight_pence: pence(0),
  awaits_approval: false,
  notes: [],
} as const;

type AwaitingAdvance = Awaited<ReturnType<typeof listAwaitingAdvances>>[number];

/** Lists advances that are still awaiting money, with the total received and the day on which HMRC was expected to repay. */
async function listAwaitingAdvances(db: Db) {
  const rows = await db
    .select({
      advance: advances,
      companyName: companies.name,
      periodStart: obligations.periodStart,
      periodEnd: obligations.periodEnd,
      filedAt: filings.sentAt,
      received: RECEIVED_PENCE,
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
    const filedOn = advance.foundOn ?? toLondonDate(filedAt ?? advance.quotedAt);
    return [{ ...row, advance: { ...advance, state }, received: pence(receivedSum), expectedOn: addDays(filedOn, advance.repaymentDays) }];
  });
}

/** Lists credits that are not fully decided, and credits that can't be posted. */
async function listUndecidedCredits(db: Db): Promise<ReconciliationException[]> {
  const isUnpostable = or(ne(bankCredits.currency, 'GBP'), lte(bankCredits.amountPence, pence(0)));
  const rows = await db
    .select({ credit: bankCredits, companyName: companies.name, unallocated: UNALLOCATED_PENCE })
    .from(bankCredits)
    .innerJoin(companies, eq(companies.id, bankCredits.companyId))
    .where(and(isNull(bankCredits.returnedAt), or(isUnpostable, sql`${UNALLOCATED_PENCE} > 0`)))
    .orderBy(asc(bankCredits.receivedAt));
  return rows.map(({ credit, companyName, unallocated }) => {
    const problem = findCreditProblem({ amount: credit.amountPence, currency: credit.currency });
    return {
      ...NO_DETAILS,
      kind: problem === undefined ? 'credit' : 'unpostable',
      subject_id: credit.id,
      company_id: credit.companyId,
      company_name: companyName,
      amount_pence: problem === undefined ? pence(unallocated) : credit.amountPence,
      currency: credit.currency,
      since: credit.receivedAt,
      remitter: credit.remitter,
      reference: credit.reference,
      problem: problem ?? null,
      notes: [],
    };
  });
}

/** Adds the reason why each credit shown wasn't matched automatically, based on the current facts. */
async function addCreditProblems(db: Db, exceptions: readonly ReconciliationException[]): Promise<ReconciliationException[]> {
  const companyIds = new Set(exceptions.flatMap(({ kind, company_id }) => (kind === 'credit' ? [company_id] : [])));
  const facts = new Map<string, { candidates: MatchCandidate[]; held: CreditRow[]; writtenOff: WrittenOffRefund[] }>();
  for (const id of companyIds) {
    const writtenOff = await listWrittenOffRefunds(db, id);
    facts.set(id, { candidates: await listMatchCandidates(db, id), held: await listHeldCredits(db, id), writtenOff });
  }
  return exceptions.map((item) => {
    const company = facts.get(item.company_id);
    if (item.kind !== 'credit' || !company) return item;
    const otherAmounts = company.held.filter(({ id }) => id !== item.subject_id).map(({ amountPence }) => amountPence);
    const credit = { amount: item.amount_pence, remitter: item.remitter ?? '', reference: item.reference ?? '' };
    const match = matchCredit(credit, company.candidates, otherAmounts, company.writtenOff);
    return { ...item, problem: 'problem' in match ? match.problem : 'It arrived before the advance it matches.' };
  });
}

/** Lists money that we owe to traders, with the reason if the last payout failed. */
async function listOwedToTraders(deps: AppDeps): Promise<ReconciliationException[]> {
  const { db } = deps.database;
  const surpluses = (await listSurpluses(db)).filter(({ amount, inFlight }) => amount !== 0 || inFlight !== 0);
  if (surpluses.length === 0) return [];
  const ids = surpluses.map(({ companyId }) => companyId);
  const names = await db.select({ id: companies.id, name: companies.name }).from(companies).where(inArray(companies.id, ids));
  const since = await db
    .select({ companyId: ledgerPostings.companyId, at: sql<Instant>`max(${ledgerPostings.postedAt})`.mapWith(ledgerPostings.postedAt) })
    .from(ledgerPostings)
    .innerJoin(ledgerLines, and(eq(ledgerLines.companyId, ledgerPostings.companyId), eq(ledgerLines.postingId, ledgerPostings.id)))
    .where(and(inArray(ledgerPostings.companyId, ids), eq(ledgerLines.account, 'owed_to_trader')))
    .groupBy(ledgerPostings.companyId);
  const orders = await db
    .select()
    .from(payouts)
    .where(and(inArray(payouts.companyId, ids), isNull(payouts.advanceId)))
    .orderBy(asc(payouts.createdAt));
  const thirdPartyMoney = new Map<string, ThirdPartyMoney>();
  for (const id of ids) thirdPartyMoney.set(id, await findThirdPartyMoney(db, id));
  return surpluses.map(({ companyId, amount, inFlight }) => {
    const lastFailure = orders.findLast((order) => order.companyId === companyId)?.failure ?? null;
    const thirdParty = thirdPartyMoney.get(companyId);
    const problems = [
      ...(amount < 0
        ? [`The trader owes us ${formatPounds(pence(-amount))}: a payment was reversed after we had paid it out. Ask them to pay it back.`]
        : []),
      ...(thirdParty && thirdParty.amount > 0 ? [describeThirdPartyMoney(thirdParty)] : []),
      ...(lastFailure === null ? [] : [`The last payment failed: ${lastFailure}.`]),
    ];
    return {
      ...NO_DETAILS,
      kind: 'surplus',
      subject_id: companyId,
      company_id: companyId,
      company_name: names.find(({ id }) => id === companyId)?.name ?? '',
      amount_pence: pence(Math.max(0, amount)),
      since: since.find((row) => row.companyId === companyId)?.at ?? deps.clock.now(),
      problem: problems.length === 0 ? null : problems.join(' '),
      in_flight_pence: inFlight,
      notes: [],
    };
  });
}

/** An advance is an exception if HMRC repaid too little, or nothing by the expected day. */
function toMissingRepayment(deps: AppDeps, { advance, companyName, received, expectedOn }: AwaitingAdvance): ReconciliationException[] {
  const state: MatchableState = advance.state;
  const isLate = state === 'awaiting_hmrc' && expectedOn < deps.clock.today();
  if (state === 'awaiting_hmrc' && !isLate) return [];
  return [
    {
      ...NO_DETAILS,
      kind: isLate ? 'overdue' : 'shortfall',
      subject_id: advance.id,
      company_id: advance.companyId,
      company_name: companyName,
      amount_pence: getOutstandingRefund({ refund: advance.refundPence, received }),
      since: isLate ? toInstant(Date.parse(`${addDays(expectedOn, 1)}T00:00:00Z`)) : advance.updatedAt,
      refund_pence: advance.refundPence,
      expected_on: expectedOn,
      notes: [],
    },
  ];
}

function toPayoutException(payout: Awaited<ReturnType<typeof listDisputedPayouts>>[number]): ReconciliationException {
  const { statementPence, netPence, problem, reference } = payout;
  const statementNote =
    statementPence === null || statementPence === netPence ? '' : ` The bank statement shows ${formatPounds(statementPence)}.`;
  return {
    ...NO_DETAILS,
    kind: 'direct_debit_payout',
    subject_id: payout.id,
    company_id: NO_COMPANY,
    company_name: 'GoCardless',
    amount_pence: netPence,
    since: payout.checkedAt ?? payout.createdAt,
    reference,
    problem: `${problem ?? ''}${statementNote}`.trim(),
    notes: [],
  };
}

async function loadNotes(db: Db, exceptions: readonly ReconciliationException[]): Promise<Map<string, ReconciliationException['notes']>> {
  if (exceptions.length === 0) return new Map();
  const rows = await db
    .select({ note: reconciliationNotes, by: users.fullName })
    .from(reconciliationNotes)
    .innerJoin(users, eq(users.id, reconciliationNotes.by))
    .where(
      and(
        inArray(reconciliationNotes.companyId, [...new Set(exceptions.map(({ company_id }) => company_id))]),
        inArray(
          reconciliationNotes.subjectId,
          exceptions.map(({ subject_id }) => subject_id),
        ),
      ),
    )
    .orderBy(asc(reconciliationNotes.at));
  const notes = new Map<string, ReconciliationException['notes']>();
  for (const { note, by } of rows) notes.set(note.subjectId, [...(notes.get(note.subjectId) ?? []), { text: note.text, by, at: note.at }]);
  return notes;
}
