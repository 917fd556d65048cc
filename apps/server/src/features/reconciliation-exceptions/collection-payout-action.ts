/** Two operators record what a payment from a collection account was. Nothing is paid, because the money has already left. */
import { COLLECTION_PAYOUT_KINDS, type CollectionPayoutKind } from '@portal/domain/advances/collection-payout-kinds.ts';
import type { reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
import type { Tx } from '@portal/db/database.ts';
import { collectionPayouts } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { postLostMoney, postSurplusPayout } from '@portal/domain/ledger/ledger.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { z } from 'zod';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import { isThisCollectionPayout, listUnexplainedReturns, type CollectionPayoutRow } from '../advances/store-collection-payouts.ts';
import { lockCompany } from '../advances/transition-advance.ts';
import type { ApprovalAction, ApprovedRequest } from '../approvals/approval-action.ts';
import { requestApproval } from '../approvals/request-approval.ts';
import { postToLedger } from '../ledger/post-to-ledger.ts';
import { describeReceiver } from './collection-payout-queries.ts';
import { recordResolution } from './record-resolution.ts';
import {
  assertNotPaidByDecidersAlone,
  deciderSchema,
  describeDeciders,
  isPaidByDecidersAlone,
  listSurplusDeciders,
  type Decider,
} from './surplus-deciders.ts';

const detailsSchema = z.object({
  collection_payout_id: z.string(),
  as: z.enum(COLLECTION_PAYOUT_KINDS),
  amount_pence: z.int(),
  receiver: z.string(),
  reference: z.string(),
  /** Who decided that the money is the trader's, if the payment is said to have paid it. */
  deciders: deciderSchema.array().default([]),
});
type Details = z.infer<typeof detailsSchema>;

const OUTCOMES: Readonly<Record<CollectionPayoutKind, string>> = {
  to_us: 'went to an account of ours',
  credit_return: 'was the return of a payment to its sender that is already recorded',
  to_trader: 'paid the trader money that we owed them',
  lost: 'was taken and won’t come back, which is posted as a bad debt',
};

export const RESOLVE_COLLECTION_PAYOUT: ApprovalAction<Details> = {
  action: 'collection_payout.resolve',
  access: 'operator.finance',
  details: detailsSchema,
  describe: ({ as, amount_pence, receiver, reference, deciders }) =>
    `Record that the payment of ${formatPounds(pence(amount_pence))} from the collection account to ${receiver} (reference “${reference}”) ${OUTCOMES[as]}. No payment is made.${describeDeciders(deciders)}`,
  canApprove: ({ deciders }, requestedBy, approvedBy) => !isPaidByDecidersAlone(deciders, [requestedBy, approvedBy]),
  apply: applyResolution,
};

export async function requestCollectionPayoutResolution(
  deps: AppDeps,
  { input, actor, caller }: Call<(typeof reconciliationExceptionsApi)['resolveCollectionPayout']>,
): Promise<{ request_id: string }> {
  const { company_id: companyId, subject_id: subject, as, reason } = input;
  return deps.database.db.transaction(async (tx) => {
    await lockCompany(tx, companyId);
    const { payout } = await getOpenPayout(tx, { companyId, id: subject }, as);
    const { amountPence, reference } = payout;
    const receiver = describeReceiver(payout);
    const details = {
      collection_payout_id: subject,
      as,
      amount_pence: amountPence,
      receiver,
      reference,
      deciders: await listDeciders(tx, companyId, as),
    };
    const by = { requestedBy: actor.userId, at: deps.clock.now(), ip: caller.ip };
    return requestApproval(deps, tx, RESOLVE_COLLECTION_PAYOUT, { companyId, subject, details, reason, ...by });
  });
}

/** Otherwise the two who decided could have one of them pay it in the provider's console, which needs no third person. */
async function listDeciders(tx: Tx, companyId: string, as: CollectionPayoutKind): Promise<Decider[]> {
  return as === 'to_trader' ? listSurplusDeciders(tx, companyId) : [];
}

type OpenPayout = { readonly payout: CollectionPayoutRow; readonly creditReturnId: string | null };

/** Locks the payment. Throws if it has been resolved, or makes no recorded return but is said to. */
async function getOpenPayout(tx: Tx, ids: Pick<CollectionPayoutRow, 'companyId' | 'id'>, as: CollectionPayoutKind): Promise<OpenPayout> {
  const [payout] = await tx.select().from(collectionPayouts).where(isThisCollectionPayout(ids)).for('update');
  if (!payout) throw createNotFoundError();
  if (payout.resolution !== null)
    throw new AppError('conflict', 'collection_payout.resolved', 'This payment has already been resolved. Reload the page.');
  if (as !== 'credit_return') return { payout, creditReturnId: null };
  const [recordedReturn] = await listUnexplainedReturns(tx, payout);
  if (recordedReturn) return { payout, creditReturnId: recordedReturn.id };
  const message =
    'No return of a payment of this amount is recorded, or another payment already explains it. Record the return of the payment first.';
  throw new AppError('conflict', 'collection_payout.no_return', message);
}

async function applyResolution(tx: Tx, _deps: AppDeps, request: ApprovedRequest<Details>): Promise<void> {
  const { companyId, at, details } = request;
  const { as, collection_payout_id: id } = details;
  const { payout, creditReturnId } = await getOpenPayout(tx, { companyId, id }, as);
  assertNotPaidByDecidersAlone(await listDeciders(tx, companyId, as), [request.requestedBy, request.by]);
  const { amountPence, providerPayoutId } = payout;
  const after = { as, amount_pence: amountPence, provider_payout_id: providerPayoutId };
  await recordResolution(tx, request, { action: 'collection_payout.resolved', subject: id, after });
  await tx.update(collectionPayouts).set({ resolution: as, resolvedAt: at, creditReturnId }).where(isThisCollectionPayout(payout));
  if (as !== 'to_trader' && as !== 'lost') return;
  await postToLedger(tx, {
    companyId,
    idempotencyKey: `collection-payout:${id}`,
    description: `Payment of ${formatPounds(amountPence)} from the collection account: ${as === 'lost' ? 'taken, and lost' : 'money that we owed the trader'}`,
    postedAt: at,
    lines: as === 'lost' ? postLostMoney(amountPence) : postSurplusPayout(amountPence),
  });
}
