/** Payout orders that differ from what the portal wrote. They aren't sent until they are correct again or two operators discard them. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
import type { Db } from '@portal/db/database.ts';
import { companies, payouts } from '@portal/db/schema/schema.ts';
import { and, asc, eq, isNotNull } from '@portal/db/sql.ts';

type ReconciliationException = EndpointOutput<typeof reconciliationExceptionsApi.list>['matters'][number];
type RejectedPayout = Pick<
  ReconciliationException,
  'kind' | 'subject_id' | 'company_id' | 'company_name' | 'amount_pence' | 'since' | 'reference' | 'remitter' | 'advance_id' | 'resolutions'
> & { readonly notes: [] };

export async function listRefusedPayouts(db: Db): Promise<RejectedPayout[]> {
  const rows = await db
    .select({ payout: payouts, companyName: companies.name })
    .from(payouts)
    .innerJoin(companies, eq(companies.id, payouts.companyId))
    .where(and(eq(payouts.status, 'created'), isNotNull(payouts.refusedAt)))
    .orderBy(asc(payouts.refusedAt));
  return rows.map(({ payout, companyName }) => ({
    kind: 'refused_payout',
    subject_id: payout.id,
    company_id: payout.companyId,
    company_name: companyName,
    amount_pence: payout.amountPence,
    since: payout.refusedAt ?? payout.createdAt,
    // The account that would have received the payment.
    remitter: `${payout.accountHolder}, account ending ${payout.accountNumber.slice(-4)}`,
    reference: payout.reference,
    advance_id: payout.advanceId,
    resolutions: ['discarded'],
    notes: [],
  }));
}
