/**
 * Records that a credit, or its unmatched part, was sent back through the payments provider. Makes no payment; two operators confirm that
 * the return has happened.
 */
import type { reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
import type { Tx } from '@portal/db/database.ts';
import { bankCredits, creditReturns } from '@portal/db/schema/schema.ts';
import { findCreditProblem } from '@portal/domain/advances/match-credit.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { postReturnedCredit } from '@portal/domain/ledger/ledger.ts';
import { type Pence, formatCurrency, formatPounds, pence, sumPence } from '@portal/domain/money.ts';
import { and, eq } from '@portal/db/sql.ts';
import { z } from 'zod';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import { listActiveAllocations, lockCredit, sumReturnedAmounts, type CreditRow } from '../advances/credit-facts.ts';
import { enqueueCreditReturnedEmail } from '../advances/surplus-emails.ts';
import { lockCompany } from '../advances/transition-advance.ts';
import type { ApprovalAction, ApprovedRequest } from '../approvals/approval-action.ts';
import { requestApproval } from '../approvals/request-approval.ts';
import { postToLedger } from '../ledger/post-to-ledger.ts';
import { recordResolution } from './record-resolution.ts';

const returnDetailsSchema = z.object({
  credit_id: z.string(),
  /** The amount returned. */
  amount_pence: z.int(),
  /** The credit's full amount. Absent if all of it was returned. */
  part_of_pence: z.optional(z.int()),
  currency: z.string(),
  remitter: z.string(),
  return_reference: z.string(),
});
type ReturnDetails = z.infer<typeof returnDetailsSchema>;

export const RETURN_CREDIT: ApprovalAction<ReturnDetails> = {
  action: 'credit.return',
  access: 'operator.finance',
  details: returnDetailsSchema,
  describe: ({ amount_pence, part_of_pence, currency, remitter, return_reference }) => {
    const part = part_of_pence === undefined ? '' : `${formatCurrency(pence(amount_pence), currency)} of `;
    return `Record that ${part}the payment of ${formatCurrency(pence(part_of_pence ?? amount_pence), currency)} from ${remitter} was returned to its sender (bank reference ${return_reference}). No payment is made.`;
  },
  apply: applyReturn,
};

export async function requestReturn(
  deps: AppDeps,
  { input, actor, caller }: Call<(typeof reconciliationExceptionsApi)['recordReturn']>,
): Promise<{ request_id: string }> {
  const { company_id: companyId, credit_id: subject, reason, return_reference, amount_pence } = input;
  return deps.database.db.transaction(async (tx) => {
    await lockCompany(tx, companyId);
    const { credit, amount, isPartial } = await getReturnableCredit(tx, { companyId, creditId: subject, part: amount_pence });
    const { currency, remitter } = credit;
    const part = isPartial ? { part_of_pence: credit.amountPence } : {};
    const details = { credit_id: subject, amount_pence: amount, ...part, currency, remitter, return_reference };
    const by = { requestedBy: actor.userId, at: deps.clock.now(), ip: caller.ip };
    return requestApproval(deps, tx, RETURN_CREDIT, { companyId, subject, details, reason, ...by });
  });
}

/** Only positive amounts in pounds were posted. */
function isPosted({ amountPence: amount, currency }: CreditRow): boolean {
  return findCreditProblem({ amount, currency }) === undefined;
}

type ReturnableCredit = { readonly credit: CreditRow; readonly amount: Pence; readonly isPartial: boolean };

/** Locks the credit. `part` is the amount returned; undefined means all of it. Throws if less than that is unmatched. */
async function getReturnableCredit(
  tx: Tx,
  { companyId, creditId, part }: { companyId: string; creditId: string; part: number | undefined },
): Promise<ReturnableCredit> {
  const credit = await lockCredit(tx, companyId, creditId);
  if (!credit) throw createNotFoundError();
  if (credit.returnedAt !== null)
    throw new AppError('conflict', 'reconciliation.credit_returned', 'This credit was already returned to its sender.');
  const matchedAmount = sumPence((await listActiveAllocations(tx, companyId, creditId)).map(({ amountPence }) => amountPence));
  const isPartial = part !== undefined && part !== credit.amountPence;
  if (!isPartial && matchedAmount > 0) {
    throw new AppError(
      'conflict',
      'reconciliation.credit_matched',
      'This payment is matched. Reverse the match before you record its return, or return only the unmatched part.',
    );
  }
  if (isPartial && !isPosted(credit)) {
    throw new AppError('impossible', 'reconciliation.whole_only', 'This payment isn’t in pounds, so all of it must be returned.', {
      field: 'amount_pence',
    });
  }
  const amount = isPartial ? pence(part) : credit.amountPence;
  const unmatchedPence = pence(credit.amountPence - matchedAmount - (await sumReturnedAmounts(tx, credit)));
  if (isPosted(credit) && amount > unmatchedPence) {
    throw new AppError(
      'conflict',
      'reconciliation.more_than_unmatched',
      `Only ${formatPounds(unmatchedPence)} of this payment is unmatched. Enter at most that amount, or reverse a match first.`,
      { field: 'amount_pence' },
    );
  }
  return { credit, amount, isPartial };
}

async function applyReturn(tx: Tx, deps: AppDeps, request: ApprovedRequest<ReturnDetails>): Promise<void> {
  const { companyId, at, details } = request;
  const { return_reference: reference } = details;
  const part = details.part_of_pence === undefined ? undefined : details.amount_pence;
  const { credit, amount } = await getReturnableCredit(tx, { companyId, creditId: details.credit_id, part });
  const isWhole = amount + (await sumReturnedAmounts(tx, credit)) === credit.amountPence;
  if (isWhole) {
    await tx
      .update(bankCredits)
      .set({ returnedAt: at, returnReference: reference })
      .where(and(eq(bankCredits.companyId, companyId), eq(bankCredits.id, credit.id)));
  }
  if (isPosted(credit)) {
    await tx.insert(creditReturns).values({ companyId, id: request.id, creditId: credit.id, amountPence: amount, reference, at });
    await postToLedger(tx, {
      companyId,
      idempotencyKey: `credit-returned:${credit.id}:${request.id}`,
      description: `${formatPounds(amount)} of the credit of ${formatPounds(credit.amountPence)} returned to its sender (${reference})`,
      postedAt: at,
      lines: postReturnedCredit(amount),
    });
    await enqueueCreditReturnedEmail(deps, tx, credit, { amount, reference });
  }
  const after = { return_reference: reference, amount_pence: amount, credit_pence: credit.amountPence, currency: credit.currency };
  await recordResolution(tx, request, { action: 'credit.returned', subject: credit.id, after });
}
