/**
 * Pays out money that we owe to a trader, using a payout order like any other: it has one idempotency key, and the provider's record
 * determines its result.
 */
import { randomUUID } from 'node:crypto';
import type { reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
import type { Tx } from '@portal/db/database.ts';
import { bankAccounts } from '@portal/db/schema/schema.ts';
import { getAdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { getBankHoldEnd } from '@portal/domain/advances/evaluate-eligibility.ts';
import { getSurplusReference } from '@portal/domain/advances/payout-reference.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { formatInstant } from '@portal/domain/clock.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { RECLAIM_DAYS } from '@portal/domain/shortfalls/direct-debit.ts';
import { asc, eq } from '@portal/db/sql.ts';
import { z } from 'zod';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import { findOtherHolder } from '../advances/find-other-holder.ts';
import { getVatNumber } from '../advances/get-vat-number.ts';
import { isAccountSealed } from '../advances/payout-facts.ts';
import { orderPayout } from '../advances/payout-order.ts';
import { lockCompany } from '../advances/transition-advance.ts';
import { sumWrittenOffAmounts } from '../advances/written-off.ts';
import type { ApprovalAction, ApprovedRequest } from '../approvals/approval-action.ts';
import { requestApproval } from '../approvals/request-approval.ts';
import { findScreeningHold } from '../screening/find-screening-hold.ts';
import { enqueueScreening } from '../screening/screening-jobs.ts';
import { recordResolution } from './record-resolution.ts';
import { getSurplus, listSurpluses, sumDueAmounts, sumReclaimableAmounts } from './surplus-queries.ts';
import {
  assertNotPaidByDecidersAlone,
  deciderSchema,
  describeDeciders,
  isPaidByDecidersAlone,
  listSurplusDeciders,
} from './surplus-deciders.ts';
import { describeThirdPartyMoney, findThirdPartyMoney } from './third-party-money.ts';

const surplusDetailsSchema = z.object({
  amount_pence: z.int().positive(),
  bank_account_id: z.string(),
  account_holder: z.string(),
  sort_code: z.string(),
  account_number: z.string(),
  /** The trader's debt to us from shortfalls, shown to both operators. */
  due_pence: z.int(),
  /** The amount we wrote off for the trader. A later payment from HMRC may be the repayment of a refund that we bought. */
  written_off_pence: z.int().default(0),
  /** Whether the bank confirmed the name on the account. */
  is_name_confirmed: z.boolean().default(true),
  /** Who decided that the money is the trader's. */
  deciders: deciderSchema.array().default([]),
});
type SurplusDetails = z.infer<typeof surplusDetailsSchema>;

export const PAY_SURPLUS: ApprovalAction<SurplusDetails> = {
  action: 'surplus.pay',
  access: 'operator.finance',
  details: surplusDetailsSchema,
  describe: ({ amount_pence, account_holder, sort_code, account_number, due_pence, written_off_pence, is_name_confirmed, deciders }) =>
    `${due_pence > 0 ? `Warning: the trader owes us ${formatPounds(pence(due_pence))} from a shortfall. ` : ''}${written_off_pence > 0 ? `Warning: we wrote off ${formatPounds(pence(written_off_pence))} of this trader’s refunds. If HMRC has now repaid one of them, the repayment belongs to us, so reject this request. ` : ''}Pay ${formatPounds(pence(amount_pence))}, which we owe the trader, to ${account_holder}, ${sort_code.replaceAll(/(\d\d)(?=\d)/g, '$1-')}, account ending ${account_number.slice(-4)}.${is_name_confirmed ? '' : ' The bank hasn’t confirmed the name on this account.'}${describeDeciders(deciders)}`,
  canApprove: ({ deciders }, requestedBy, approvedBy) => !isPaidByDecidersAlone(deciders, [requestedBy, approvedBy]),
  apply: applySurplusPayout,
};

export async function requestSurplusPayout(
  deps: AppDeps,
  { input, actor, caller }: Call<(typeof reconciliationExceptionsApi)['paySurplus']>,
): Promise<{ request_id: string }> {
  const { company_id: companyId, amount_pence, reason } = input;
  await requestScreening(deps, companyId);
  return deps.database.db.transaction(async (tx) => {
    await lockCompany(tx, companyId);
    await assertSurplusPayable(deps, tx, companyId, amount_pence);
    const account = await getPayableAccount(deps, tx, companyId);
    const details = {
      amount_pence,
      bank_account_id: account.id,
      account_holder: account.accountHolder,
      sort_code: account.sortCode,
      account_number: account.accountNumber,
      due_pence: await sumDueAmounts(tx, companyId),
      written_off_pence: await sumWrittenOffAmounts(tx, companyId),
      is_name_confirmed: account.nameCheck?.result === 'match',
      deciders: await listSurplusDeciders(tx, companyId),
    };
    const by = { requestedBy: actor.userId, at: deps.clock.now(), ip: caller.ip };
    // Only one open request per company.
    return requestApproval(deps, tx, PAY_SURPLUS, { companyId, subject: companyId, details, reason, ...by });
  });
}

/**
 * The screening may be out of date, because the company may have no open advance. Runs outside the main transaction, which a hold would
 * abort: the rollback would also undo this screening request.
 */
async function requestScreening(deps: AppDeps, companyId: string): Promise<void> {
  const { db } = deps.database;
  const screeningHold = await db.transaction((tx) => findScreeningHold(tx, companyId, deps.clock.now()));
  if (screeningHold?.needsScreening) await enqueueScreening(deps, db, companyId);
}

async function assertSurplusPayable(deps: AppDeps, tx: Tx, companyId: string, amount: number): Promise<void> {
  const screeningHold = await findScreeningHold(tx, companyId, deps.clock.now());
  if (screeningHold) throw new AppError('conflict', 'surplus.on_hold', `${screeningHold.text} Try again later.`);
  await assertSurplusAvailable(tx, companyId, amount);
  await assertNotReclaimable(deps, tx, companyId, amount);
}

/** Otherwise the trader would be paid twice: by us, and by their bank under the Direct Debit Guarantee. */
async function assertNotReclaimable(deps: AppDeps, tx: Tx, companyId: string, amount: number): Promise<void> {
  const reclaimablePence = await sumReclaimableAmounts(tx, companyId, deps.clock.now());
  if (reclaimablePence === 0 || amount <= (await getSurplus(tx, companyId)) - reclaimablePence) return;
  const message = `${formatPounds(reclaimablePence)} of it was collected by Direct Debit in the last ${RECLAIM_DAYS} days, or came from HMRC although a Direct Debit has paid the same, or is on its way. The trader’s bank would return the Direct Debit on request, so we don’t pay this out until that time has passed.`;
  throw new AppError('conflict', 'surplus.reclaimable', message);
}

async function assertSurplusAvailable(tx: Tx, companyId: string, amount: number): Promise<void> {
  const [surplus] = await listSurpluses(tx, companyId);
  if (surplus && surplus.inFlight > 0) {
    const message = `A payment of ${formatPounds(surplus.inFlight)} to the trader is in progress. Wait for its result, then pay the rest.`;
    throw new AppError('conflict', 'surplus.in_flight', message);
  }
  if (surplus && amount <= surplus.amount) {
    const thirdPartyMoney = await findThirdPartyMoney(tx, companyId);
    if (amount <= surplus.amount - thirdPartyMoney.amount) return;
    const message = `We can’t pay ${formatPounds(pence(amount))}. ${describeThirdPartyMoney(thirdPartyMoney)}`;
    throw new AppError('conflict', 'surplus.third_party', message);
  }
  throw new AppError(
    'conflict',
    'surplus.not_available',
    `We owe the trader ${formatPounds(pence(Math.max(0, surplus?.amount ?? 0)))}, so you can’t pay ${formatPounds(pence(amount))}. Reload the page.`,
    { field: 'amount_pence' },
  );
}

/** Returns the newest account, as for every payout, but no earlier than 24 hours after a change. */
async function getPayableAccount(deps: AppDeps, tx: Tx, companyId: string): Promise<typeof bankAccounts.$inferSelect> {
  const accounts = await tx.select().from(bankAccounts).where(eq(bankAccounts.companyId, companyId)).orderBy(asc(bankAccounts.createdAt));
  const account = accounts.at(-1);
  if (!account) throw new AppError('conflict', 'surplus.no_account', 'The trader has no bank account on file. Ask them to add one.');
  if (!isAccountSealed(deps.tokenCipher, account)) {
    deps.recordSecurityEvent('payout_refused', { reason: 'payout.account_not_sealed' });
    const message = 'The trader’s bank account has been changed outside the portal. Ask them to save it again, then request the payment.';
    throw new AppError('conflict', 'surplus.account_not_sealed', message);
  }
  const holdEnds = getBankHoldEnd(accounts, getAdvanceTerms(deps.clock.today()));
  if (holdEnds !== undefined && holdEnds > deps.clock.now()) {
    const message = `The trader changed their bank account, so payments are on hold until ${formatInstant(holdEnds)}.`;
    throw new AppError('conflict', 'surplus.account_on_hold', message);
  }
  const otherHolder = await findOtherHolder(tx, account);
  if (otherHolder !== undefined) {
    const message = `The trader’s bank account is in the name of ${otherHolder}. Ask them for an account in the company’s own name.`;
    throw new AppError('conflict', 'surplus.account_of_another', message);
  }
  return account;
}

async function applySurplusPayout(tx: Tx, deps: AppDeps, request: ApprovedRequest<SurplusDetails>): Promise<void> {
  const { companyId, at, details } = request;
  await assertSurplusPayable(deps, tx, companyId, details.amount_pence);
  assertNotPaidByDecidersAlone(await listSurplusDeciders(tx, companyId), [request.requestedBy, request.by]);
  if ((await sumDueAmounts(tx, companyId)) > details.due_pence) {
    const message = 'The trader now owes us more from a shortfall than when this was requested. Reject the request and make a new one.';
    throw new AppError('conflict', 'surplus.more_due', message);
  }
  const account = await getPayableAccount(deps, tx, companyId);
  if (account.id !== details.bank_account_id) {
    throw new AppError(
      'conflict',
      'surplus.account_changed',
      'The trader’s bank account has changed since this was requested. Reject the request and make a new one.',
    );
  }
  const payoutId = randomUUID();
  const order = {
    companyId,
    id: payoutId,
    advanceId: null,
    round: 1,
    amountPence: pence(details.amount_pence),
    accountHolder: account.accountHolder,
    sortCode: account.sortCode,
    accountNumber: account.accountNumber,
    reference: getSurplusReference(await getVatNumber(tx, companyId)),
    createdAt: at,
  };
  await orderPayout(deps, tx, order, { request_id: request.id, requested_by: request.requestedBy, approved_by: request.by });
  await recordResolution(tx, request, {
    action: 'surplus.payout_ordered',
    subject: companyId,
    after: { payout_id: payoutId, amount_pence: details.amount_pence },
  });
}
