/** Pays out money that we owe to a trader, with a payout order like any other: one idempotency key, and the provider's record decides. */
import { randomUUID } from 'node:crypto';
import type { reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
import type { Tx } from '@portal/db/database.ts';
import { bankAccounts, payouts } from '@portal/db/schema/schema.ts';
import { getAdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { getBankHoldEnd } from '@portal/domain/advances/evaluate-eligibility.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { formatInstant } from '@portal/domain/clock.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { asc, eq } from 'drizzle-orm';
import { z } from 'zod';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import { lockCompany } from '../advances/transition-advance.ts';
import type { ApprovalAction, ApprovedRequest } from '../approvals/approval-action.ts';
import { requestApproval } from '../approvals/request-approval.ts';
import { recordResolution } from './record-resolution.ts';
import { listSurpluses } from './surplus-queries.ts';

/** A Faster Payments reference has at most 18 characters. */
const REFERENCE = 'VAT REFUND SURPLUS';

const surplusDetails = z.object({
  amount_pence: z.int().positive(),
  bank_account_id: z.string(),
  account_holder: z.string(),
  sort_code: z.string(),
  account_number: z.string(),
});
type SurplusDetails = z.infer<typeof surplusDetails>;

export const PAY_SURPLUS: ApprovalAction<SurplusDetails> = {
  action: 'surplus.pay',
  access: 'operator.finance',
  details: surplusDetails,
  describe: ({ amount_pence, account_holder, sort_code, account_number }) =>
    `Pay ${formatPounds(pence(amount_pence))} that we owe to the trader to ${account_holder}, ${sort_code.replaceAll(/(\d\d)(?=\d)/g, '$1-')}, account ending ${account_number.slice(-4)}.`,
  apply: applySurplusPayout,
};

export async function requestSurplusPayout(
  deps: AppDeps,
  { input, actor, caller }: Call<(typeof reconciliationExceptionsApi)['paySurplus']>,
): Promise<{ request_id: string }> {
  const { company_id: companyId, amount_pence, reason } = input;
  return deps.database.db.transaction(async (tx) => {
    await lockCompany(tx, companyId);
    await assertAvailable(tx, companyId, amount_pence);
    const account = await getPayableAccount(deps, tx, companyId);
    const details = {
      amount_pence,
      bank_account_id: account.id,
      account_holder: account.accountHolder,
      sort_code: account.sortCode,
      account_number: account.accountNumber,
    };
    const by = { requestedBy: actor.userId, at: deps.clock.now(), ip: caller.ip };
    // One at a time for each company.
    return requestApproval(tx, PAY_SURPLUS, { companyId, subject: companyId, details, reason, ...by });
  });
}

async function assertAvailable(tx: Tx, companyId: string, amount: number): Promise<void> {
  const [surplus] = await listSurpluses(tx, companyId);
  if (surplus && surplus.inFlight > 0) {
    const message = `A payment of ${formatPounds(surplus.inFlight)} is on its way to the trader. Wait for its result, then pay the rest.`;
    throw new AppError('conflict', 'surplus.in_flight', message);
  }
  if (surplus && amount <= surplus.amount) return;
  throw new AppError(
    'conflict',
    'surplus.not_available',
    `We owe the trader ${formatPounds(pence(Math.max(0, surplus?.amount ?? 0)))}, so you can’t pay ${formatPounds(pence(amount))}. Reload the page.`,
    { field: 'amount_pence' },
  );
}

/** The newest account, as for every payout; 24 hours after a change at the earliest. */
async function getPayableAccount(deps: AppDeps, tx: Tx, companyId: string): Promise<typeof bankAccounts.$inferSelect> {
  const accounts = await tx.select().from(bankAccounts).where(eq(bankAccounts.companyId, companyId)).orderBy(asc(bankAccounts.createdAt));
  const account = accounts.at(-1);
  if (!account) throw new AppError('conflict', 'surplus.no_account', 'The trader has no bank account on file. Ask them to add one.');
  const holdEnds = getBankHoldEnd(account.createdAt, accounts.length === 1, getAdvanceTerms(deps.clock.today()));
  if (holdEnds !== undefined && holdEnds > deps.clock.now()) {
    const message = `The trader changed their bank account, so payments are on hold until ${formatInstant(holdEnds)}.`;
    throw new AppError('conflict', 'surplus.account_on_hold', message);
  }
  return account;
}

async function applySurplusPayout(tx: Tx, deps: AppDeps, request: ApprovedRequest<SurplusDetails>): Promise<void> {
  const { companyId, at, details } = request;
  await assertAvailable(tx, companyId, details.amount_pence);
  const account = await getPayableAccount(deps, tx, companyId);
  if (account.id !== details.bank_account_id) {
    throw new AppError(
      'conflict',
      'surplus.account_changed',
      'The trader’s bank account has changed since this was requested. Reject the request and make a new one.',
    );
  }
  const payoutId = randomUUID();
  await tx.insert(payouts).values({
    companyId,
    id: payoutId,
    advanceId: null,
    round: 1,
    status: 'created',
    amountPence: pence(details.amount_pence),
    accountHolder: account.accountHolder,
    sortCode: account.sortCode,
    accountNumber: account.accountNumber,
    reference: REFERENCE,
    createdAt: at,
  });
  await recordResolution(tx, request, {
    action: 'surplus.payout_ordered',
    subject: companyId,
    after: { payout_id: payoutId, amount_pence: details.amount_pence },
  });
  await deps.enqueue(tx, 'payout.submit', { company_id: companyId, payout_id: payoutId }, { singletonKey: `payout.submit:${payoutId}` });
}
