/**
 * Invoice refunds that didn't reach the practice, and refunds made at Stripe for more than the invoice. A refund returned by a bank is owed
 * until it's sent again. A refund rejected by Stripe has no credit note; it waits until operators have ordered another refund of the
 * invoice or noted what they did.
 */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
import type { Db } from '@portal/db/database.ts';
import { companies, invoiceRefunds, vatInvoices } from '@portal/db/schema/schema.ts';
import { and, asc, eq, sql } from '@portal/db/sql.ts';
import { describeChargeBack, listChargeBacks, type ChargeBack } from '../billing/charged-back.ts';
import { NEEDS_PERSON, type RefundRow } from '../billing/refund-facts.ts';

type ReconciliationException = EndpointOutput<typeof reconciliationExceptionsApi.list>['matters'][number];
type FailedRefund = Pick<
  ReconciliationException,
  'kind' | 'subject_id' | 'company_id' | 'company_name' | 'amount_pence' | 'since' | 'reference' | 'problem' | 'notes'
>;

export async function listFailedRefunds(db: Db): Promise<FailedRefund[]> {
  const needsPerson = sql`exists (select 1 from ${invoiceRefunds} r where r.company_id = ${invoiceRefunds.companyId}
    and r.id = ${invoiceRefunds.id} and ${NEEDS_PERSON})`;
  const rows = await db
    .select({ refund: invoiceRefunds, companyName: companies.name, number: vatInvoices.number })
    .from(invoiceRefunds)
    .innerJoin(companies, eq(companies.id, invoiceRefunds.companyId))
    .innerJoin(vatInvoices, and(eq(vatInvoices.companyId, invoiceRefunds.companyId), eq(vatInvoices.id, invoiceRefunds.invoiceId)))
    .where(needsPerson)
    .orderBy(asc(invoiceRefunds.updatedAt));
  const chargeBacks = await listChargeBacks(
    db,
    rows.map(({ refund }) => refund),
  );
  return rows.map(({ refund, companyName, number }) => ({
    kind: 'failed_refund',
    subject_id: refund.id,
    company_id: refund.companyId,
    company_name: companyName,
    amount_pence: refund.totalPence,
    since: refund.updatedAt,
    reference: number,
    problem: describeProblem(refund, chargeBacks.get(refund.id)),
    notes: [],
  }));
}

function describeProblem({ status, failure }: RefundRow, chargeBack: ChargeBack | undefined): string {
  if (status === 'excess')
    return `Someone refunded it at Stripe for more than was left on the invoice, so there’s no credit note. Agree with the practice what to do about it, and note that here.`;
  if (status !== 'failed')
    return `Stripe rejected it: ${failure ?? ''} Nothing was refunded, and there’s no credit note. Request another refund under Billing, or note here why there won’t be one.`;
  const returned = `It was returned: ${failure ?? ''}`;
  if (!chargeBack)
    return `${returned} The practice has its credit note, so we owe it this amount. Resend the refund under Billing, or pay it from our bank account and record that there.`;
  const action = chargeBack.isFinal
    ? 'If it left our bank account before that, record it under Billing. Note here that you’ve checked.'
    : 'Respond to the dispute at Stripe, and note that here.';
  return `${returned} ${describeChargeBack(chargeBack)} ${action}`;
}
