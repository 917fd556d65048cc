/** Orders the Direct Debit for a case's next payment, early enough for the notice period required by the scheme's rules. */
import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '@portal/db/database.ts';
import { directDebits, mandates, shortfalls } from '@portal/db/schema/schema.ts';
import { formatPounds, ZERO } from '@portal/domain/money.ts';
import { addDays, formatDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { hasUnansweredFailure, isPendingDirectDebit, isUsableMandate } from '@portal/domain/shortfalls/direct-debit.ts';
import type { NextPayment } from '@portal/domain/shortfalls/instalment-plan.ts';
import { addWorkingDays } from '@portal/domain/uk-tax/calendar/working-days.ts';
import { getValueOrForecast } from '@portal/domain/uk-tax/known.ts';
import { and, eq, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { tryEach } from '../../jobs/try-each.ts';
import type { AdvanceRow, TransitionContext } from '../advances/transition-advance.ts';
import { loadNextPayment } from '../shortfalls/next-payment.ts';
import { sendDirectDebitNotice } from '../shortfalls/shortfall-letters.ts';
import { recordShortfallEvent, type ShortfallRow } from '../shortfalls/shortfall-record.ts';
import { transitionByBalance } from '../shortfalls/sync-shortfall.ts';
import { sumUndecidedPayments } from '../shortfalls/undecided-payments.ts';
import { lockCase } from '../shortfalls/trader-actions.ts';

/** Orders are placed this many days before the amount is due. The payer must be notified first, and GoCardless needs three working days. */
const ORDER_AHEAD_DAYS = 10;
const NOTICE_WORKING_DAYS = 3;
const BATCH_SIZE = 100;

/** True if a Direct Debit of the case may still collect money, for a query on shortfalls. */
export const hasPendingDirectDebit = sql`exists (select 1 from ${directDebits} where ${directDebits.companyId} = ${shortfalls.companyId} and ${directDebits.shortfallId} = ${shortfalls.id} and ${directDebits.status} in ('created', 'pending_customer_approval', 'pending_submission', 'submitted'))`;

export async function orderDueDirectDebits(deps: AppDeps): Promise<void> {
  if (!deps.directDebits) return;
  const { db } = deps.database;
  const rows = await db
    .select({ companyId: shortfalls.companyId, shortfallId: shortfalls.id })
    .from(shortfalls)
    .innerJoin(mandates, eq(mandates.companyId, shortfalls.companyId))
    .where(
      and(
        eq(shortfalls.status, 'due'),
        sql`${mandates.status} in ('pending_submission', 'submitted', 'active')`,
        sql`not ${hasPendingDirectDebit}`,
      ),
    )
    .orderBy(sql`random()`)
    .limit(BATCH_SIZE);
  await tryEach(rows, (key) => db.transaction((tx) => orderDirectDebit(deps, tx, key)));
}

async function orderDirectDebit(deps: AppDeps, tx: Tx, key: { companyId: string; shortfallId: string }): Promise<void> {
  const { advance, shortfall } = await lockCase(tx, key);
  if (shortfall.status !== 'due') return;
  const earlierDebits = await tx
    .select()
    .from(directDebits)
    .where(and(eq(directDebits.companyId, key.companyId), eq(directDebits.shortfallId, key.shortfallId)));
  if (earlierDebits.some(({ status }) => isPendingDirectDebit(status)) || hasUnansweredFailure(earlierDebits)) return;
  const mandate = await findUsableMandate(tx, key.companyId);
  const next = await loadNextPayment(tx, advance, shortfall);
  if (!mandate || !next || next.dueOn > addDays(deps.clock.today(), ORDER_AHEAD_DAYS)) return;
  // A payment that waits for a decision may be for this difference.
  if (next.amount <= (await sumUndecidedPayments(tx, key.companyId))) return;
  await placeOrder(deps, tx, { advance, shortfall, mandate, next, context: { actor: 'rules', at: deps.clock.now() } });
}

export type MandateRow = typeof mandates.$inferSelect;

export async function findUsableMandate(db: Db | Tx, companyId: string): Promise<MandateRow | undefined> {
  const candidates = await db.select().from(mandates).where(eq(mandates.companyId, companyId));
  return candidates.find(({ status }) => isUsableMandate(status));
}

type Order = {
  readonly advance: AdvanceRow;
  readonly shortfall: ShortfallRow;
  readonly mandate: MandateRow;
  readonly next: NextPayment;
  readonly context: TransitionContext;
};

/** Places the order, notifies the trader, and records both. The unique index allows only one pending Direct Debit per case. */
export async function placeOrder(deps: AppDeps, tx: Tx, { advance, shortfall, mandate, next, context }: Order): Promise<void> {
  const { companyId } = shortfall;
  const chargeOn = getChargeDay(deps.clock.today(), next.dueOn, mandate.nextChargeOn);
  const id = randomUUID();
  await tx.insert(directDebits).values({
    companyId,
    id,
    shortfallId: shortfall.id,
    mandateId: mandate.id,
    amountPence: next.amount,
    chargeOn,
    status: 'created',
    place: 'trader',
    appliedPence: ZERO,
    createdAt: context.at,
    updatedAt: context.at,
  });
  const description = `Direct Debit of ${formatPounds(next.amount)} scheduled for ${formatDate(chargeOn)}.`;
  await recordShortfallEvent(tx, shortfall, context, 'direct_debit_ordered', description);
  await transitionByBalance(tx, advance, context, description);
  await sendDirectDebitNotice(deps, tx, advance, shortfall, { amount: next.amount, chargeOn });
  await enqueueSubmit(deps, tx, companyId, id);
}

/** Returns the due day, or a later day if the notice period hasn't ended or the bank can't be charged by then. */
export function getChargeDay(today: PlainDate, dueOn: PlainDate, nextChargeOn: PlainDate | null): PlainDate {
  const afterNotice = getValueOrForecast(addWorkingDays(today, NOTICE_WORKING_DAYS)) ?? addDays(today, 7);
  return [dueOn, afterNotice, nextChargeOn ?? dueOn].reduce((latest, day) => (day > latest ? day : latest));
}

export function enqueueSubmit(deps: AppDeps, tx: Db | Tx, companyId: string, id: string): Promise<void> {
  return deps.enqueue(
    tx,
    'direct-debit.submit',
    { company_id: companyId, direct_debit_id: id },
    { singletonKey: `direct-debit.submit:${id}` },
  );
}
