/** Records that a credit was sent back at the payments provider. It makes no payment; two people confirm that it happened. */
import type { reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
import type { Tx } from '@portal/db/database.ts';
import { bankCredits } from '@portal/db/schema/schema.ts';
import { findCreditProblem } from '@portal/domain/advances/match-credit.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { postReturnedCredit } from '@portal/domain/ledger/ledger.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { and, eq } from 'drizzle-orm';
import { z } from 'zod';
import type { AppDeps } from '../../app-deps.ts';
import { notFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import { listActiveAllocations, lockCredit, type CreditRow } from '../advances/credit-facts.ts';
import { lockCompany } from '../advances/transition-advance.ts';
import type { ApprovalAction, ApprovedRequest } from '../approvals/approval-action.ts';
import { requestApproval } from '../approvals/request-approval.ts';
import { postToLedger } from '../ledger/post-to-ledger.ts';
import { recordResolution } from './record-resolution.ts';

const returnDetails = z.object({
  credit_id: z.string(),
  amount_pence: z.int(),
  currency: z.string(),
  remitter: z.string(),
  return_reference: z.string(),
});
type ReturnDetails = z.infer<typeof returnDetails>;

export const RETURN_CREDIT: ApprovalAction<ReturnDetails> = {
  action: 'credit.return',
  access: 'operator.finance',
  details: returnDetails,
  describe: ({ amount_pence, currency, remitter, return_reference }) =>
    `Record that the payment of ${formatAmount(amount_pence, currency)} from ${remitter} was returned to its sender (bank reference ${return_reference}). No money moves.`,
  apply: applyReturn,
};

/** "£12.00", or "EUR 12.00" for another currency. */
function formatAmount(amountPence: number, currency: string): string {
  return currency === 'GBP' ? formatPounds(pence(amountPence)) : `${currency} ${(amountPence / 100).toFixed(2)}`;
}

export async function requestReturn(
  deps: AppDeps,
  { input, actor, caller }: Call<(typeof reconciliationExceptionsApi)['recordReturn']>,
): Promise<{ request_id: string }> {
  const { company_id: companyId, credit_id: subject, reason, return_reference } = input;
  return deps.database.db.transaction(async (tx) => {
    await lockCompany(tx, companyId);
    const { amountPence, currency, remitter } = await getReturnableCredit(tx, companyId, subject);
    const details = { credit_id: subject, amount_pence: amountPence, currency, remitter, return_reference };
    const by = { requestedBy: actor.userId, at: deps.clock.now(), ip: caller.ip };
    return requestApproval(tx, RETURN_CREDIT, { companyId, subject, details, reason, ...by });
  });
}

async function getReturnableCredit(tx: Tx, companyId: string, creditId: string): Promise<CreditRow> {
  const credit = await lockCredit(tx, companyId, creditId);
  if (!credit) throw notFoundError();
  if (credit.returnedAt !== null)
    throw new AppError('conflict', 'reconciliation.credit_returned', 'This credit was already returned to its sender.');
  if ((await listActiveAllocations(tx, companyId, creditId)).length > 0) {
    throw new AppError(
      'conflict',
      'reconciliation.credit_matched',
      'This payment is matched. Reverse the match before you record its return.',
    );
  }
  return credit;
}

async function applyReturn(tx: Tx, _deps: AppDeps, request: ApprovedRequest<ReturnDetails>): Promise<void> {
  const { companyId, at, details } = request;
  const credit = await getReturnableCredit(tx, companyId, details.credit_id);
  await tx
    .update(bankCredits)
    .set({ returnedAt: at, returnReference: details.return_reference })
    .where(and(eq(bankCredits.companyId, companyId), eq(bankCredits.id, credit.id)));
  // What isn't pounds above zero was never posted.
  if (findCreditProblem({ amount: credit.amountPence, currency: credit.currency }) === undefined) {
    await postToLedger(tx, {
      companyId,
      idempotencyKey: `credit-returned:${credit.id}`,
      description: `Credit of ${formatPounds(credit.amountPence)} returned to its sender (${details.return_reference})`,
      postedAt: at,
      lines: postReturnedCredit(credit.amountPence),
    });
  }
  const after = { return_reference: details.return_reference, amount_pence: credit.amountPence, currency: credit.currency };
  await recordResolution(tx, request, { action: 'credit.returned', subject: credit.id, after });
}
