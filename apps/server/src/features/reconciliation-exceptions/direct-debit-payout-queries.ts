/** GoCardless's payouts to our bank account, and those that are inconsistent or don't match the bank statement. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
import type { Db } from '@portal/db/database.ts';
import { companies, directDebitPayoutItems, directDebitPayouts, directDebits, ledgerLines, users } from '@portal/db/schema/schema.ts';
import { pence } from '@portal/domain/money.ts';
import { and, asc, desc, eq, inArray, isNotNull, ne, or, sql } from '@portal/db/sql.ts';

type Payouts = EndpointOutput<typeof reconciliationExceptionsApi.directDebitPayouts>;
type Item = Payouts['payouts'][number]['items'][number];

const PAGE_SIZE = 50;

const IS_UNCHECKED = sql`${directDebitPayouts.status} = 'paid' and ${directDebitPayouts.checkedAt} is null`;

export async function listDirectDebitPayouts(db: Db, page: number): Promise<Payouts> {
  const rows = await db
    .select({ payout: directDebitPayouts, checker: users.fullName })
    .from(directDebitPayouts)
    .leftJoin(users, eq(users.id, directDebitPayouts.checkedBy))
    .orderBy(desc(IS_UNCHECKED), desc(directDebitPayouts.createdAt), asc(directDebitPayouts.id))
    .limit(PAGE_SIZE)
    .offset((page - 1) * PAGE_SIZE);
  const items = await loadItems(
    db,
    rows.map(({ payout }) => payout.id),
  );
  const [total] = await db
    .select({ count: sql`count(*)`.mapWith(Number), unchecked: sql`count(*) filter (where ${IS_UNCHECKED})`.mapWith(Number) })
    .from(directDebitPayouts);
  const [transit] = await db
    .select({ sum: sql`coalesce(sum(${ledgerLines.amountPence}), 0)`.mapWith(Number) })
    .from(ledgerLines)
    .where(eq(ledgerLines.account, 'direct_debits'));
  const count = total?.count ?? 0;
  return {
    payouts: rows.map(({ payout, checker }) => ({
      payout_id: payout.id,
      reference: payout.reference,
      status: payout.status,
      gross_pence: payout.grossPence,
      fee_pence: pence(payout.grossPence - payout.netPence),
      net_pence: payout.netPence,
      created_at: payout.createdAt,
      arrives_on: payout.arrivesOn,
      problem: payout.problem,
      check: toPayoutCheck(payout, checker),
      items: items.get(payout.id) ?? [],
    })),
    count,
    pages: Math.ceil(count / PAGE_SIZE),
    unchecked_count: total?.unchecked ?? 0,
    in_transit_pence: pence(transit?.sum ?? 0),
  };
}

function toPayoutCheck(payout: typeof directDebitPayouts.$inferSelect, checkerId: string | null): Payouts['payouts'][number]['check'] {
  const { statementPence, statementOn, checkedAt } = payout;
  if (statementPence === null || statementOn === null || checkedAt === null) return null;
  return { statement_pence: statementPence, statement_on: statementOn, by: checkerId ?? '', at: checkedAt };
}

async function loadItems(db: Db, payoutIds: readonly string[]): Promise<Map<string, Item[]>> {
  if (payoutIds.length === 0) return new Map();
  const rows = await db
    .select({ item: directDebitPayoutItems, debit: directDebits, companyName: companies.name })
    .from(directDebitPayoutItems)
    .leftJoin(directDebits, eq(directDebits.providerPaymentId, directDebitPayoutItems.providerPaymentId))
    .leftJoin(companies, eq(companies.id, directDebits.companyId))
    .where(inArray(directDebitPayoutItems.payoutId, [...payoutIds]))
    .orderBy(asc(directDebitPayoutItems.number));
  const items = new Map<string, Item[]>();
  for (const { item, debit, companyName } of rows) {
    const shownItem: Item = {
      type: item.type,
      amount_pence: pence(Math.round(item.tenths / 10)),
      payment_id: item.providerPaymentId,
      debit: debit && { company_id: debit.companyId, company_name: companyName ?? '', shortfall_id: debit.shortfallId },
    };
    items.set(item.payoutId, [...(items.get(item.payoutId) ?? []), shownItem]);
  }
  return items;
}

/** Lists payouts that can't be posted, or whose amount differs on the bank statement. */
export function listDisputedPayouts(db: Db): Promise<(typeof directDebitPayouts.$inferSelect)[]> {
  const isDifferent = and(isNotNull(directDebitPayouts.checkedAt), ne(directDebitPayouts.statementPence, directDebitPayouts.netPence));
  return db
    .select()
    .from(directDebitPayouts)
    .where(or(isNotNull(directDebitPayouts.problem), isDifferent));
}
