/** Two operators record what money on the account from which we pay is. Nothing is paid or posted: the ledger has traders' money only. */
import type { reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
import type { Tx } from '@portal/db/database.ts';
import { accountCredits } from '@portal/db/schema/schema.ts';
import { ACCOUNT_CREDIT_KINDS, type AccountCreditKind } from '@portal/domain/advances/account-credit-kinds.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { formatCurrency, pence } from '@portal/domain/money.ts';
import { eq } from '@portal/db/sql.ts';
import { z } from 'zod';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import type { ApprovalAction, ApprovedRequest } from '../approvals/approval-action.ts';
import { requestApproval } from '../approvals/request-approval.ts';
import { NO_COMPANY } from '../audit/record-audit.ts';
import { lockAccountCredit } from './account-credit-queries.ts';
import { mayReturnPayout } from './may-return-payout.ts';
import { recordResolution } from './record-resolution.ts';

const detailsSchema = z.object({
  credit_id: z.string(),
  as: z.enum(ACCOUNT_CREDIT_KINDS),
  amount_pence: z.int(),
  currency: z.string(),
  remitter: z.string(),
  reference: z.string(),
});
type Details = z.infer<typeof detailsSchema>;

const OUTCOMES: Readonly<Record<AccountCreditKind, string>> = {
  own_money: 'is our own money',
  sent_back: 'has been sent back to its sender',
  payout_return: 'is a payout that the bank returned, and that the portal shows as returned',
};

export const RESOLVE_ACCOUNT_CREDIT: ApprovalAction<Details> = {
  action: 'account_credit.resolve',
  access: 'operator.finance',
  details: detailsSchema,
  describe: ({ as, amount_pence, currency, remitter, reference }) =>
    `Record that ${formatCurrency(pence(amount_pence), currency)} from ${remitter} (reference “${reference}”) on the account we pay from ${OUTCOMES[as]}. No payment is made.`,
  prepare: (deps, { details: { credit_id: id, as } }) => assertIsReturn(deps, id, as),
  apply: applyResolution,
};

export async function requestAccountCreditResolution(
  deps: AppDeps,
  { input, actor, caller }: Call<(typeof reconciliationExceptionsApi)['resolveAccountCredit']>,
): Promise<{ request_id: string }> {
  const { subject_id: subject, as, reason } = input;
  await assertIsReturn(deps, subject, as);
  return deps.database.db.transaction(async (tx) => {
    const { amountPence, currency, remitter, reference } = await getOpenCredit(tx, subject, as);
    const details = { credit_id: subject, as, amount_pence: amountPence, currency, remitter, reference };
    const by = { requestedBy: actor.userId, at: deps.clock.now(), ip: caller.ip };
    return requestApproval(deps, tx, RESOLVE_ACCOUNT_CREDIT, { companyId: NO_COMPANY, subject, details, reason, ...by });
  });
}

async function getOpenCredit(tx: Tx, id: string, as: AccountCreditKind): Promise<typeof accountCredits.$inferSelect> {
  const locked = await lockAccountCredit(tx, id);
  if (!locked) throw createNotFoundError();
  if (locked.credit.resolution !== null)
    throw new AppError('conflict', 'account_credit.resolved', 'This payment has already been resolved. Reload the page.');
  if (locked.kinds.includes(as)) return locked.credit;
  throw createNoReturnError();
}

/**
 * Throws if the credit is said to return a payout, but the payments provider's record names other credits as the returns of all payouts of
 * this amount.
 */
async function assertIsReturn(deps: AppDeps, id: string, as: AccountCreditKind): Promise<void> {
  if (as === 'payout_return' && !(await mayReturnPayout(deps, id))) throw createNoReturnError();
}

function createNoReturnError(): AppError {
  const message =
    'The portal has no returned payout of this amount that isn’t already explained by another payment. Ask the payments provider which payout this money returns.';
  return new AppError('conflict', 'account_credit.no_returned_payout', message);
}

async function applyResolution(tx: Tx, _deps: AppDeps, request: ApprovedRequest<Details>): Promise<void> {
  const { as, credit_id: id } = request.details;
  const { amountPence, currency, providerTransactionId } = await getOpenCredit(tx, id, as);
  const after = { as, amount_pence: amountPence, currency, provider_transaction_id: providerTransactionId };
  await recordResolution(tx, request, { action: 'account_credit.resolved', subject: id, after });
  await tx.update(accountCredits).set({ resolution: as, resolvedAt: request.at }).where(eq(accountCredits.id, id));
}
