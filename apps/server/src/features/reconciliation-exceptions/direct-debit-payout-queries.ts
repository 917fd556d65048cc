/** Direct Debits that GoCardless has paid out to us. The ledger counts them as cash; the bank statement proves it. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
import type { Db } from '@portal/db/database.ts';
import { companies, directDebits } from '@portal/db/schema/schema.ts';
import { pence } from '@portal/domain/money.ts';
import { asc, desc, eq, sql } from 'drizzle-orm';

const PAGE_SIZE = 50;

export async function listDirectDebitPayouts(
  db: Db,
  page: number,
): Promise<EndpointOutput<typeof reconciliationExceptionsApi.directDebitPayouts>> {
  const rows = await db
    .select({ debit: directDebits, companyName: companies.name })
    .from(directDebits)
    .innerJoin(companies, eq(companies.id, directDebits.companyId))
    .where(eq(directDebits.status, 'paid_out'))
    .orderBy(desc(directDebits.updatedAt), asc(directDebits.id))
    .limit(PAGE_SIZE)
    .offset((page - 1) * PAGE_SIZE);
  const sumOf = (place: 'cash' | 'in_transit') =>
    sql`coalesce(sum(${directDebits.amountPence}) filter (where ${directDebits.place} = ${place}), 0)`.mapWith(Number);
  const [total] = await db
    .select({
      count: sql`count(*) filter (where ${directDebits.status} = 'paid_out')`.mapWith(Number),
      cash: sumOf('cash'),
      inTransit: sumOf('in_transit'),
    })
    .from(directDebits);
  const count = total?.count ?? 0;
  return {
    direct_debits: rows.map(({ debit, companyName }) => ({
      company_id: debit.companyId,
      company_name: companyName,
      shortfall_id: debit.shortfallId,
      direct_debit_id: debit.id,
      amount_pence: debit.amountPence,
      paid_out_at: debit.updatedAt,
      payment_id: debit.providerPaymentId ?? '',
    })),
    count,
    pages: Math.ceil(count / PAGE_SIZE),
    amount_pence: pence(total?.cash ?? 0),
    in_transit_pence: pence(total?.inTransit ?? 0),
  };
}
