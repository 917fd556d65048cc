import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
import type { Db } from '@portal/db/database.ts';
import { advances, bankCredits, creditAllocations, creditReturns } from '@portal/db/schema/schema.ts';
import type { AdvanceState } from '@portal/domain/advances/advance-states.ts';
import { getOutstandingRefund, isMatchable, isReversible } from '@portal/domain/advances/settle-credit.ts';
import { pence, sumPence, ZERO, type Pence } from '@portal/domain/money.ts';
import { and, desc, eq, isNull } from '@portal/db/sql.ts';
import { RECEIVED_PENCE } from '../advances/credit-facts.ts';
import { listRecoveredAmounts, listWrittenOffAmounts } from '../advances/written-off.ts';
import { UNALLOCATED_PENCE } from '../advances/unallocated-sql.ts';
import { listRequestedSubjects } from './reconciliation-exceptions-queries.ts';

/** Lists the company's credits with what each one pays, and the advances that a credit can pay or has paid. */
export async function listCompanyCredits(db: Db, companyId: string): Promise<EndpointOutput<typeof reconciliationExceptionsApi.credits>> {
  const credits = await db
    .select({ credit: bankCredits, unallocated: UNALLOCATED_PENCE })
    .from(bankCredits)
    .where(eq(bankCredits.companyId, companyId))
    .orderBy(desc(bankCredits.receivedAt))
    .limit(200);
  const allocations = await db
    .select()
    .from(creditAllocations)
    .where(and(eq(creditAllocations.companyId, companyId), isNull(creditAllocations.reversedAt)));
  const returns = await db.select().from(creditReturns).where(eq(creditReturns.companyId, companyId));
  const requestedSubjects = await listRequestedSubjects(db);
  const rows = await db
    .select({ advance: advances, received: RECEIVED_PENCE })
    .from(advances)
    .where(eq(advances.companyId, companyId))
    .orderBy(desc(advances.periodEnd));
  const writtenOff = await listWrittenOffAmounts(db, companyId);
  const recoveredByAdvance = await listRecoveredAmounts(db, companyId);
  return {
    credits: credits.map(({ credit, unallocated }) => ({
      credit_id: credit.id,
      amount_pence: credit.amountPence,
      currency: credit.currency,
      remitter: credit.remitter,
      reference: credit.reference,
      received_at: credit.receivedAt,
      returned_at: credit.returnedAt,
      allocations: allocations
        .filter(({ creditId }) => creditId === credit.id)
        .map(({ id, advanceId, amountPence }) => ({
          advance_id: advanceId,
          amount_pence: amountPence,
          recovered_pence: recoveredByAdvance.get(id) ?? ZERO,
        })),
      returned_pence:
        credit.returnedAt === null ? sumAmounts(returns.filter(({ creditId }) => creditId === credit.id)) : credit.amountPence,
      unallocated_pence: pence(unallocated),
      awaits_approval: requestedSubjects.has(credit.id),
    })),
    targets: rows
      .filter(({ advance: { id, state } }) => isMatchable(state) || isReversible(state) || writtenOff.has(id))
      .map(({ advance, received }) => ({
        advance_id: advance.id,
        period_start: advance.periodStart,
        period_end: advance.periodEnd,
        state: advance.state as AdvanceState,
        refund_pence: advance.refundPence,
        outstanding_pence: sumPence([
          getOutstandingRefund({ refund: advance.refundPence, received: pence(received) }),
          writtenOff.get(advance.id) ?? ZERO,
        ]),
        written_off_pence: writtenOff.get(advance.id) ?? ZERO,
      })),
  };
}

function sumAmounts(rows: readonly { readonly amountPence: Pence }[]): Pence {
  return sumPence(rows.map(({ amountPence }) => amountPence));
}
