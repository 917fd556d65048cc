import type { OperatorShortfallOutput, ShortfallOutput, shortfallsApi } from '@portal/contract/shortfalls.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { Db } from '@portal/db/database.ts';
import {
  advances,
  approvalRequests,
  collectionAccounts,
  companies,
  directDebits,
  mandates,
  operators,
  shortfallEvents,
  shortfallLetters,
  shortfalls,
  users,
} from '@portal/db/schema/schema.ts';
import type { AdvanceState } from '@portal/domain/advances/advance-states.ts';
import { toLondonDate, type Instant } from '@portal/domain/clock.ts';
import { pence, ZERO } from '@portal/domain/money.ts';
import { isPendingDirectDebit } from '@portal/domain/shortfalls/direct-debit.ts';
import { getNextPayment, type Instalment } from '@portal/domain/shortfalls/instalment-plan.ts';
import { getNextAction, type NextAction } from '@portal/domain/shortfalls/shortfall-status.ts';
import { and, desc, eq, isNull, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import { sumReceivedAmounts } from '../advances/credit-facts.ts';
import type { AdvanceRow } from '../advances/transition-advance.ts';
import { loadPlan } from './next-payment.ts';
import { findRetry } from '../direct-debits/retry-direct-debit.ts';
import { listPossibleOwners } from './case-owners.ts';
import { getRefreshDay, selectChargesReadAt } from './infer-shortfall-cause.ts';
import { WRITE_OFF_ACTION } from './operator-actions.ts';
import { findShortfallByAdvance, isThisShortfall, type ShortfallRow } from './shortfall-record.ts';
import { mayPayInInstalments } from './trader-actions.ts';
import { sumUndecidedPayments } from './undecided-payments.ts';

export async function findTraderShortfall(deps: AppDeps, companyId: string, advanceId: string): Promise<ShortfallOutput | null> {
  const row = await findShortfallByAdvance(deps.database.db, companyId, advanceId);
  return row ? loadShortfall(deps, row, 'trader') : null;
}

export async function getOperatorShortfall(deps: AppDeps, companyId: string, shortfallId: string): Promise<OperatorShortfallOutput> {
  const { db } = deps.database;
  const [row] = await db
    .select({ shortfall: shortfalls, advance: advances, name: companies.name, vrn: companies.vrn, ownerName: users.fullName })
    .from(shortfalls)
    .innerJoin(companies, eq(companies.id, shortfalls.companyId))
    .innerJoin(advances, and(eq(advances.companyId, shortfalls.companyId), eq(advances.id, shortfalls.advanceId)))
    .leftJoin(users, eq(users.id, shortfalls.ownerId))
    .where(isThisShortfall({ companyId, id: shortfallId }));
  if (!row) throw createNotFoundError();
  const owners = await listPossibleOwners(deps, db, companyId);
  const retry = await findRetry(deps, row.advance as AdvanceRow, row.shortfall);
  return {
    company: { company_id: companyId, name: row.name, vrn: row.vrn ?? '' },
    advance_state: row.advance.state as AdvanceState,
    shortfall: await loadShortfall(deps, row.shortfall, 'operator'),
    owner: row.shortfall.ownerId === null ? null : { user_id: row.shortfall.ownerId, name: row.ownerName ?? '' },
    operators: owners.map(({ id, name }) => ({ user_id: id, name })).toSorted((a, b) => a.name.localeCompare(b.name, 'en-GB')),
    write_off_requested: await isWriteOffRequested(db, row.shortfall),
    retry: retry && { amount_pence: retry.amount, charge_on: retry.chargeOn },
  };
}

async function isWriteOffRequested(db: Db, { companyId, id }: ShortfallRow): Promise<boolean> {
  const [request] = await db
    .select({ id: approvalRequests.id })
    .from(approvalRequests)
    .where(
      and(
        eq(approvalRequests.companyId, companyId),
        eq(approvalRequests.action, WRITE_OFF_ACTION.action),
        eq(approvalRequests.subject, id),
        isNull(approvalRequests.decidedAt),
      ),
    );
  return request !== undefined;
}

async function findChargesReadAt(db: Db, companyId: string): Promise<Instant | null> {
  const [reading] = await db
    .select({ readAt: selectChargesReadAt(companies.id) })
    .from(companies)
    .where(eq(companies.id, companyId));
  return reading?.readAt ?? null;
}

async function loadShortfall(deps: AppDeps, row: ShortfallRow, reader: 'trader' | 'operator'): Promise<ShortfallOutput> {
  const { db } = deps.database;
  const { companyId } = row;
  const [advance] = await db
    .select()
    .from(advances)
    .where(and(eq(advances.companyId, companyId), eq(advances.id, row.advanceId)));
  if (!advance) throw createNotFoundError();
  const receivedAmount = await sumReceivedAmounts(db, companyId, row.advanceId);
  const isOwing = row.status === 'due' || row.status === 'disputed';
  const owedAmount = isOwing ? pence(Math.max(0, advance.refundPence - receivedAmount)) : ZERO;
  const plan = await loadPlan(db, row, receivedAmount);
  const next = row.dueOn === null ? undefined : getNextPayment(owedAmount, row.dueOn, plan);
  const debits = await listDirectDebits(db, row);
  const pendingDebit = debits.find(({ status }) => isPendingDirectDebit(status));
  const [mandate] = await db.select().from(mandates).where(eq(mandates.companyId, companyId)).orderBy(desc(mandates.requestedAt)).limit(1);
  const [account] = await db.select().from(collectionAccounts).where(eq(collectionAccounts.companyId, companyId));
  return {
    shortfall_id: row.id,
    advance_id: row.advanceId,
    obligation_id: advance.obligationId,
    period_start: advance.periodStart,
    period_end: advance.periodEnd,
    status: row.status,
    cause: row.cause,
    cause_text: row.causeText,
    refund_pence: advance.refundPence,
    received_pence: receivedAmount,
    owed_pence: owedAmount,
    suspected_pence: row.suspectedPence,
    reference: row.reference,
    opened_at: row.openedAt,
    due_on: row.dueOn,
    pay_to:
      account && isOwing
        ? { account_holder: account.accountHolder, sort_code: account.sortCode, account_number: account.accountNumber }
        : null,
    next_payment: next ? { amount_pence: next.amount, due_on: next.dueOn, number: next.number ?? null } : null,
    instalments: plan ? toInstalments(plan) : [],
    may_pay_in_instalments: row.status === 'due' && plan === undefined && (await mayPayInInstalments(db, companyId)),
    dispute: row.disputeReason !== null && row.disputedAt !== null ? { reason: row.disputeReason, at: row.disputedAt } : null,
    next_action: toNextAction(
      getNextAction(
        {
          status: row.status,
          cause: row.cause,
          openedOn: toLondonDate(row.disputedAt !== null && row.status === 'disputed' ? row.disputedAt : row.openedAt),
          refreshedOn: getRefreshDay(await findChargesReadAt(db, companyId), row.openedAt),
          suspected: row.suspectedPence,
          refund: advance.refundPence,
          next,
          directDebit: pendingDebit ? { amount: pendingDebit.amountPence, chargeOn: pendingDebit.chargeOn } : undefined,
          isWriteOffRequested: reader === 'operator' && (await isWriteOffRequested(db, row)),
          undecided: await sumUndecidedPayments(db, companyId),
        },
        deps.clock.today(),
      ),
    ),
    mandate: mandate ? { status: mandate.status, reference: mandate.reference, other_account_ending: mandate.otherAccountEnding } : null,
    offers_direct_debit: deps.directDebits !== undefined,
    direct_debits: debits.map(toDirectDebit),
    letters: await listLetters(db, row),
    events: await listEvents(db, row, reader),
  };
}

const toDirectDebit = (debit: typeof directDebits.$inferSelect): ShortfallOutput['direct_debits'][number] => ({
  direct_debit_id: debit.id,
  amount_pence: debit.amountPence,
  charge_on: debit.chargeOn,
  status: debit.status,
  failure: debit.failure,
});

export const toNextAction = (action: NextAction | null): ShortfallOutput['next_action'] =>
  action && { by: action.by, text: action.text, due_on: action.dueOn };

/** Returns how much of each instalment has been paid, oldest first. */
function toInstalments({ instalments, paid }: { instalments: readonly Instalment[]; paid: number }): ShortfallOutput['instalments'] {
  let remaining = paid;
  return instalments.map(({ number, dueOn, amount }) => {
    const share = Math.min(remaining, amount);
    remaining -= share;
    return { number, due_on: dueOn, amount_pence: amount, paid_pence: pence(share) };
  });
}

function listDirectDebits(db: Db, { companyId, id }: ShortfallRow) {
  return db
    .select()
    .from(directDebits)
    .where(and(eq(directDebits.companyId, companyId), eq(directDebits.shortfallId, id)))
    .orderBy(desc(directDebits.createdAt));
}

function listLetters(db: Db, { companyId, id }: ShortfallRow): Promise<ShortfallOutput['letters']> {
  return db
    .select({ letter_id: shortfallLetters.id, heading: shortfallLetters.heading, at: shortfallLetters.at })
    .from(shortfallLetters)
    .where(and(eq(shortfallLetters.companyId, companyId), eq(shortfallLetters.shortfallId, id)))
    .orderBy(desc(shortfallLetters.at));
}

const AUTOMATIC_ACTORS: Readonly<Record<string, string>> = {
  bank: 'The bank',
  hmrc: 'HMRC’s figures',
  rules: 'Our system',
  clock: 'Our system',
};

/** Traders see “our team” instead of our staff's names, and nothing about our internal steps. */
async function listEvents(db: Db, { companyId, id }: ShortfallRow, reader: 'trader' | 'operator'): Promise<ShortfallOutput['events']> {
  const rows = await db
    .select({
      at: shortfallEvents.at,
      actor: shortfallEvents.actor,
      text: shortfallEvents.text,
      name: users.fullName,
      operatorId: operators.userId,
    })
    .from(shortfallEvents)
    .leftJoin(users, sql`${users.id}::text = ${shortfallEvents.actor}`)
    .leftJoin(operators, eq(operators.userId, users.id))
    .where(and(eq(shortfallEvents.companyId, companyId), eq(shortfallEvents.shortfallId, id)))
    .orderBy(desc(shortfallEvents.sequence));
  return rows
    .filter(({ operatorId }) => reader === 'operator' || operatorId === null)
    .map(({ at, actor, text, name }) => ({ at, by: AUTOMATIC_ACTORS[actor] ?? name ?? 'Our team', text }));
}

export async function getLetter(db: Db, companyId: string, letterId: string): Promise<EndpointOutput<typeof shortfallsApi.letter>> {
  const [letter] = await db
    .select({ letter: shortfallLetters, companyName: companies.name })
    .from(shortfallLetters)
    .innerJoin(companies, eq(companies.id, shortfallLetters.companyId))
    .where(and(eq(shortfallLetters.companyId, companyId), eq(shortfallLetters.id, letterId)));
  if (!letter) throw createNotFoundError();
  const { heading, at, paragraphs, facts } = letter.letter;
  return { company_name: letter.companyName, heading, at, paragraphs, facts: facts.map(([label, value]) => ({ label, value })) };
}
