/** The part of a credit that still needs a decision. */
import { bankCredits, creditAllocations, creditReturns } from '@portal/db/schema/schema.ts';
import { sql, type SQL } from '@portal/db/sql.ts';

const unallocated = sql`case when ${bankCredits.returnedAt} is not null or ${bankCredits.currency} <> 'GBP' or ${bankCredits.amountPence} <= 0 then 0 else ${bankCredits.amountPence} - coalesce((select sum(${creditAllocations.amountPence}) from ${creditAllocations} where ${creditAllocations.companyId} = ${bankCredits.companyId} and ${creditAllocations.creditId} = ${bankCredits.id} and ${creditAllocations.reversedAt} is null), 0) - coalesce((select sum(${creditReturns.amountPence}) from ${creditReturns} where ${creditReturns.companyId} = ${bankCredits.companyId} and ${creditReturns.creditId} = ${bankCredits.id}), 0) end`;
/**
 * The pence of a sterling credit that still need a decision; 0 for a returned credit. Nested, because Drizzle drops the table names from
 * the outermost SQL of a field if the query has one table: "id" would then be the allocation's.
 */
export const UNALLOCATED_PENCE: SQL<number> = sql<number>`(${unallocated})`.mapWith(Number);
