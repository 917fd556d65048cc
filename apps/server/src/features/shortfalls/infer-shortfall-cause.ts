/** Reads what HMRC's stored figures show about a refund that we bought. Doesn't call HMRC. */
import type { Db, Tx } from '@portal/db/database.ts';
import { hmrcObservations } from '@portal/db/schema/schema.ts';
import { pence, sumPence, ZERO, type Pence } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { toLondonDate, type Instant } from '@portal/domain/clock.ts';
import { inferCause, sumDebtsCleared, type InferredCause, type ListedDebt } from '@portal/domain/shortfalls/infer-cause.ts';
import { and, desc, eq, sql, type SQLWrapper } from '@portal/db/sql.ts';
import { z } from 'zod';
import { listStoredCharges } from '../advances/hmrc-charges.ts';
import type { AdvanceRow } from '../advances/transition-advance.ts';
import { getReturnCharge } from '../vat-returns/find-found-return.ts';

/** Enough lists to find one from before the repayment, without reading years of them. */
const MAX_CHARGE_LISTS = 50;

const storedChargesSchema = z.array(
  z.object({ type: z.string(), outstanding: z.int(), period: z.object({ start: z.string(), end: z.string() }).optional() }),
);
const storedPaymentsSchema = z.array(z.object({ amount: z.int(), received: z.string().optional() }));

type RefundPeriod = Pick<AdvanceRow, 'companyId' | 'refundPence' | 'periodStart' | 'periodEnd'>;

export async function inferShortfallCause(db: Db | Tx, advance: RefundPeriod): Promise<InferredCause | undefined> {
  const lists = await listObservations(db, advance.companyId, 'liabilities');
  if (lists.length === 0) return undefined;
  // Also those of earlier years: an enquiry can outlast the charge's place in the last year's list, and so can a debt.
  const charges = (await listStoredCharges(db, advance.companyId)) ?? [];
  const charge = getReturnCharge(charges, advance);
  const listWithRefund = lists.find(({ body }) => getReturnCharge(body, advance)?.outstanding === -advance.refundPence);
  const debtsCleared = listWithRefund ? await sumClearedSince(db, advance.companyId, listWithRefund, charges) : ZERO;
  const wasListed = lists.some(({ body }) => getReturnCharge(body, advance) !== undefined);
  return inferCause({ refund: advance.refundPence, charge, wasListed, debtsCleared });
}

type Observation = { readonly body: unknown; readonly takenAt: Instant };

async function listObservations(db: Db | Tx, companyId: string, kind: 'liabilities' | 'payments'): Promise<Observation[]> {
  return db
    .select({ body: hmrcObservations.body, takenAt: hmrcObservations.takenAt })
    .from(hmrcObservations)
    .where(and(eq(hmrcObservations.companyId, companyId), eq(hmrcObservations.kind, kind)))
    .orderBy(desc(hmrcObservations.takenAt))
    .limit(kind === 'payments' ? 1 : MAX_CHARGE_LISTS);
}

async function sumClearedSince(db: Db | Tx, companyId: string, previous: Observation, newestCharges: unknown): Promise<Pence> {
  const [payments] = await listObservations(db, companyId, 'payments');
  const paidAmount = payments ? sumPayments(payments.body, toLondonDate(previous.takenAt)) : ZERO;
  return sumDebtsCleared(toDebts(previous.body), toDebts(newestCharges), paidAmount);
}

/** When HMRC's charges were last read. */
export const selectChargesReadAt = (companyId: SQLWrapper) =>
  sql<Instant | null>`(select max(${hmrcObservations.takenAt}) from ${hmrcObservations}
    where ${hmrcObservations.companyId} = ${companyId} and ${hmrcObservations.kind} = 'liabilities')`.mapWith(hmrcObservations.takenAt);

/** Returns the day of the last read, if it was made after the case was opened. */
export const getRefreshDay = (readAt: Instant | null, openedAt: Instant): PlainDate | undefined =>
  readAt !== null && readAt > openedAt ? toLondonDate(readAt) : undefined;

function toDebts(body: unknown): ListedDebt[] {
  return storedChargesSchema.parse(body).map(({ type, outstanding, period }) => ({
    key: `${type} ${period?.start ?? ''} ${period?.end ?? ''}`,
    outstanding: pence(outstanding),
  }));
}

/** Sums the trader's own payments to HMRC since that day. A payment without a date counts, because it may have been made since then. */
function sumPayments(body: unknown, from: PlainDate): Pence {
  const payments = storedPaymentsSchema.parse(body).filter(({ received }) => received === undefined || received >= from);
  return sumPence(payments.map(({ amount }) => pence(amount)));
}
