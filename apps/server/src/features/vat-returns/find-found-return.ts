/** Stored data about returns that HMRC has but that weren't filed through us, and about their refunds. */
import type { Db, Tx } from '@portal/db/database.ts';
import { foundReturns, hmrcObservations } from '@portal/db/schema/schema.ts';
import type { RefundCharge } from '@portal/domain/advances/refund-at-hmrc.ts';
import { pence, sumPence } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { and, desc, eq, inArray, sql } from '@portal/db/sql.ts';
import { z } from 'zod';

export type FoundReturn = typeof foundReturns.$inferSelect;

/** Finds the return as HMRC last listed it, or undefined if none was found. */
export async function findFoundReturn(db: Db | Tx, companyId: string, obligationId: string): Promise<FoundReturn | undefined> {
  const [foundReturn] = await db
    .select()
    .from(foundReturns)
    .where(and(eq(foundReturns.companyId, companyId), eq(foundReturns.obligationId, obligationId)))
    .orderBy(desc(foundReturns.readAt), desc(foundReturns.id))
    .limit(1);
  return foundReturn;
}

const storedChargesSchema = z.array(
  z.object({
    type: z.string(),
    original: z.int(),
    outstanding: z.int(),
    period: z.object({ start: z.string(), end: z.string() }).optional(),
  }),
);

/** If a return's charge has disappeared from HMRC's list, we assume that nothing is left to repay. */
const NO_CHARGE: RefundCharge = { original: pence(0), outstanding: pence(0) };
/**
 * Finds the charge for a return in HMRC's latest lists. If only an earlier list contains it, nothing is left to repay. Undefined if HMRC
 * never listed one. Corrections and assessments for the period are separate debts.
 */
export async function findRefundCharge(
  db: Db | Tx,
  companyId: string,
  period: { readonly periodStart: PlainDate; readonly periodEnd: PlainDate },
): Promise<RefundCharge | undefined> {
  // A charge is in the second list once its period ended more than a year ago.
  for (const kind of ['liabilities', 'older_liabilities'] as const) {
    const [newest] = await db
      .select({ body: hmrcObservations.body })
      .from(hmrcObservations)
      .where(and(eq(hmrcObservations.companyId, companyId), eq(hmrcObservations.kind, kind)))
      .orderBy(desc(hmrcObservations.takenAt))
      .limit(1);
    const charge = newest && getReturnCharge(newest.body, period);
    if (charge) return charge;
  }
  return (await wasReturnChargeListed(db, companyId, period)) ? NO_CHARGE : undefined;
}

/** Searches every list. The trader can read HMRC as often as they like, so no number of lists is enough. */
async function wasReturnChargeListed(
  db: Db | Tx,
  companyId: string,
  { periodStart, periodEnd }: { readonly periodStart: PlainDate; readonly periodEnd: PlainDate },
): Promise<boolean> {
  const charges = JSON.stringify([{ period: { start: periodStart, end: periodEnd } }]);
  const rows = await db
    .select({ body: hmrcObservations.body })
    .from(hmrcObservations)
    .where(
      and(
        eq(hmrcObservations.companyId, companyId),
        inArray(hmrcObservations.kind, ['liabilities', 'older_liabilities']),
        sql`${hmrcObservations.body} @> ${charges}::jsonb`,
        sql`jsonb_path_exists(${hmrcObservations.body}, '$[*] ? (@.type like_regex "^VAT Return" flag "i")')`,
      ),
    );
  return rows.some(({ body }) => getReturnCharge(body, { periodStart, periodEnd }) !== undefined);
}

/** Returns the charge for a return from a list of charges as sent by HMRC. */
export function getReturnCharge(
  charges: unknown,
  period: { readonly periodStart: PlainDate; readonly periodEnd: PlainDate },
): RefundCharge | undefined {
  const returnCharges = storedChargesSchema
    .parse(charges)
    .filter((charge) => charge.period?.start === period.periodStart && charge.period.end === period.periodEnd)
    // "VAT Return Credit Charge", "VAT Return Debit Charge": the type is free text (docs/reference/hmrc.md section 3.7).
    .filter((charge) => /^VAT Return\b/i.test(charge.type));
  if (returnCharges.length === 0) return undefined;
  return {
    original: sumPence(returnCharges.map(({ original }) => pence(original))),
    outstanding: sumPence(returnCharges.map(({ outstanding }) => pence(outstanding))),
  };
}
