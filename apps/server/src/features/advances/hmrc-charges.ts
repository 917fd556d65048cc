/**
 * What HMRC's lists of charges say about the company's other VAT: what it owes, what it will owe before HMRC repays, and the refunds that
 * HMRC has paid. Reads the stored lists, without calling HMRC.
 */
import type { Db, Tx } from '@portal/db/database.ts';
import { filings, hmrcObservations, hmrcReturns, obligations } from '@portal/db/schema/schema.ts';
import { getAdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { LISTED_WITHIN_DAYS } from '@portal/domain/advances/refund-at-hmrc.ts';
import { toLondonDate } from '@portal/domain/clock.ts';
import { pence, sumPence, type Pence } from '@portal/domain/money.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import { and, desc, eq, inArray, isNotNull, ne, or, sql } from '@portal/db/sql.ts';
import { z } from 'zod';
import { getReturnCharge } from '../vat-returns/find-found-return.ts';
import { toNineBoxes } from '../vat-returns/to-nine-boxes.ts';

const CHARGE_KINDS = ['liabilities', 'older_liabilities'] as const;
/** Enough lists to find one that still shows a charge. */
const MAX_CHARGE_LISTS = 100;

const storedChargeSchema = z.looseObject({
  type: z.string(),
  original: z.int(),
  outstanding: z.int(),
  due: z.string().optional(),
  period: z.object({ start: z.string(), end: z.string() }).optional(),
});
export type StoredCharge = z.output<typeof storedChargeSchema>;

export async function getNewestObservation(
  db: Db | Tx,
  companyId: string,
  kind: (typeof CHARGE_KINDS)[number] | 'information',
): Promise<unknown> {
  const [row] = await db
    .select({ body: hmrcObservations.body })
    .from(hmrcObservations)
    .where(and(eq(hmrcObservations.companyId, companyId), eq(hmrcObservations.kind, kind)))
    .orderBy(desc(hmrcObservations.takenAt))
    .limit(1);
  return row?.body;
}

/** Lists the charges that HMRC last showed for the last year and the three before it. Returns undefined if HMRC has never been read. */
export async function listStoredCharges(db: Db | Tx, companyId: string): Promise<StoredCharge[] | undefined> {
  const recent = await getNewestObservation(db, companyId, 'liabilities');
  if (recent === undefined) return undefined;
  const older = await getNewestObservation(db, companyId, 'older_liabilities');
  return joinChargeLists(parseCharges(recent), parseCharges(older));
}

const parseCharges = (list: unknown): StoredCharge[] => z.array(storedChargeSchema).parse(list ?? []);

type ListedCharge = Pick<StoredCharge, 'type' | 'period'>;

/** Joins the two lists. HMRC's answer for the last year may contain charges of earlier periods too, which must not count twice. */
export function joinChargeLists<Charge extends ListedCharge>(recent: readonly Charge[], older: readonly Charge[]): Charge[] {
  const toKey = ({ type, period }: ListedCharge) => `${type} ${period?.start ?? ''} ${period?.end ?? ''}`;
  const recentKeys = new Set(recent.map(toKey));
  return [...recent, ...older.filter((charge) => !recentKeys.has(toKey(charge)))];
}

/** Sums the VAT charges that are overdue and unpaid, also those of earlier years. */
export function sumOverdueVat(charges: readonly StoredCharge[], today: PlainDate): Pence {
  const overdueCharges = charges.filter(({ outstanding, due }) => outstanding > 0 && due !== undefined && due < today);
  return sumPence(overdueCharges.map(({ outstanding }) => pence(outstanding)));
}

type ReturnKey = { readonly companyId: string; readonly obligationId: string };

/**
 * Sums the VAT that isn't overdue, but that HMRC could set the refund off against when it repays: charges that become due by then, and
 * returns that were filed so recently that HMRC doesn't list their charges yet. Otherwise filing an overdue return would make its debt
 * invisible for a day.
 */
export async function sumComingVat(
  db: Db | Tx,
  { companyId, obligationId }: ReturnKey,
  charges: readonly StoredCharge[],
  today: PlainDate,
): Promise<Pence> {
  const repaidBy = addDays(today, getAdvanceTerms(today).hmrcRepaysWithinDays);
  const comingCharges = charges.filter(
    ({ outstanding, due }) => outstanding > 0 && (due === undefined || (due >= today && due <= repaidBy)),
  );
  const unlistedReturns = (await listRecentReturns(db, companyId, obligationId, addDays(today, -LISTED_WITHIN_DAYS))).filter(
    ({ period, boxes }) => boxes.direction === 'payment' && period.dueOn <= repaidBy && getReturnCharge(charges, period) === undefined,
  );
  return sumPence([...comingCharges.map(({ outstanding }) => pence(outstanding)), ...unlistedReturns.map(({ boxes }) => boxes.box5_pence)]);
}

/** Lists the other returns that HMRC has received since that day, as far as we know their figures. */
async function listRecentReturns(db: Db | Tx, companyId: string, obligationId: string, since: PlainDate) {
  const rows = await db
    .select({ period: obligations, filing: filings, hmrcReturn: hmrcReturns })
    .from(obligations)
    .leftJoin(
      filings,
      and(eq(filings.companyId, obligations.companyId), eq(filings.obligationId, obligations.id), eq(filings.state, 'accepted')),
    )
    .leftJoin(hmrcReturns, and(eq(hmrcReturns.companyId, obligations.companyId), eq(hmrcReturns.obligationId, obligations.id)))
    .where(
      and(
        eq(obligations.companyId, companyId),
        ne(obligations.id, obligationId),
        or(isNotNull(filings.id), isNotNull(hmrcReturns.obligationId)),
      ),
    );
  return rows.flatMap(({ period, filing, hmrcReturn }) => {
    const receivedOn = filing ? toLondonDate(filing.sentAt) : period.receivedOn;
    if (receivedOn === null || receivedOn < since) return [];
    if (filing) return [{ period, boxes: filing.boxes }];
    return hmrcReturn ? [{ period, boxes: toNineBoxes(hmrcReturn) }] : [];
  });
}

/**
 * Lists the earlier refunds that HMRC has shown as paid, less what it has claimed back for the same period: it may also clear a refund by
 * setting it off against an assessment for that refund. A refund that it still owes, that it may still refuse, or that it has never listed
 * proves nothing: a false return that isn't sold would otherwise vouch for the next one. Excludes the return being evaluated.
 */
export async function listPaidRefunds(
  db: Db | Tx,
  { companyId, obligationId }: ReturnKey,
  charges: readonly StoredCharge[],
): Promise<Pence[]> {
  const rows = await db
    .select({ hmrcReturn: hmrcReturns, obligation: obligations })
    .from(hmrcReturns)
    .innerJoin(obligations, and(eq(obligations.companyId, hmrcReturns.companyId), eq(obligations.id, hmrcReturns.obligationId)))
    .where(and(eq(hmrcReturns.companyId, companyId), ne(hmrcReturns.obligationId, obligationId)))
    .orderBy(desc(obligations.periodEnd))
    .limit(8);
  const refunds = rows
    .map(({ hmrcReturn, obligation }) => ({ obligation, boxes: toNineBoxes(hmrcReturn) }))
    .filter(({ boxes }) => boxes.direction === 'repayment');
  const isListed = refunds.every(({ obligation }) => getReturnCharge(charges, obligation) !== undefined);
  const lists = isListed ? [charges] : [charges, ...(await listEarlierLists(db, companyId))];
  const claims = await listClaims(db, companyId, charges);
  return refunds.flatMap(({ obligation, boxes }) => {
    // HMRC may no longer list a charge that is cleared. The newest list that has it decides.
    const listWithCharge = lists.find((list) => getReturnCharge(list, obligation) !== undefined);
    const charge = listWithCharge === undefined ? undefined : getReturnCharge(listWithCharge, obligation);
    if (charge?.outstanding !== 0 || charge.original >= 0) return [];
    const claimedBack = sumPence(claims.filter((claim) => isClaimFor(claim, obligation)).map(({ original }) => pence(original)));
    const paid = Math.min(boxes.box5_pence, -charge.original) - claimedBack;
    return paid > 0 ? [pence(paid)] : [];
  });
}

type Claim = { readonly original: number; readonly start: string; readonly end: string };

/** Also a claim for several periods. */
const isClaimFor = ({ start, end }: Claim, { periodStart, periodEnd }: typeof obligations.$inferSelect): boolean =>
  start <= periodEnd && end >= periodStart;

/**
 * Lists the other charges that HMRC has ever claimed, such as the correction of an error or an officer's assessment. Once paid, a claim may
 * no longer be listed, so every list counts: the most that one had of each type and period. A central assessment is HMRC's estimate until a
 * return is filed, and claims nothing back.
 */
async function listClaims(db: Db | Tx, companyId: string, charges: readonly StoredCharge[]): Promise<Claim[]> {
  const { rows } = await db.execute<{ original: string; start: string; end: string }>(sql`
    with charges as (
      select o.kind, o.taken_at, charge from ${hmrcObservations} o, jsonb_array_elements(o.body) charge
      where o.company_id = ${companyId} and o.kind in ('liabilities', 'older_liabilities')
      union all select 'given', null, charge from jsonb_array_elements(${JSON.stringify(charges)}::jsonb) charge),
    claims as (
      select charge ->> 'type' as type, charge -> 'period' as period, sum((charge ->> 'original')::bigint) as original from charges
      where (charge ->> 'original')::bigint > 0 and charge -> 'period' is not null and charge ->> 'type' !~* '^VAT Return\\M'
        and charge ->> 'type' !~* 'Central Assessment' group by kind, taken_at, 1, 2)
    select period ->> 'start' as start, period ->> 'end' as "end", max(original)::text as original from claims group by type, period`);
  return rows.map((row) => ({ ...row, original: Number(row.original) }));
}

/** Newest first. */
async function listEarlierLists(db: Db | Tx, companyId: string): Promise<unknown[]> {
  const rows = await db
    .select({ body: hmrcObservations.body })
    .from(hmrcObservations)
    .where(and(eq(hmrcObservations.companyId, companyId), inArray(hmrcObservations.kind, [...CHARGE_KINDS])))
    .orderBy(desc(hmrcObservations.takenAt))
    .limit(MAX_CHARGE_LISTS);
  return rows.map(({ body }) => body);
}
