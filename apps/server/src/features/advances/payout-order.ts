/**
 * Orders payouts. An order is sealed with a key that isn't in the database and checked before it is sent, so a row written or changed with
 * SQL can't cause a payment. The facts it is based on are sealed too, as far as possible (docs/decisions/0072-sealed-payouts.md).
 */
import type { Tx } from '@portal/db/database.ts';
import { advances, payouts } from '@portal/db/schema/schema.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { checkFacts, recordMissingKey, sealFacts, type SealCheck, type SealedFact } from '../../secrets/sealed-facts.ts';
import type { SealContext } from '../../secrets/token-cipher.ts';

type PayoutRow = typeof payouts.$inferSelect;
type PayoutOrder = Pick<
  PayoutRow,
  'companyId' | 'id' | 'advanceId' | 'round' | 'amountPence' | 'accountHolder' | 'sortCode' | 'accountNumber' | 'reference' | 'createdAt'
>;

/** Records who authorised an order. */
export type Authorisation =
  | {
      readonly quote_version: number;
      readonly accepted_by: string | null;
      readonly approvals: readonly { readonly by: string; readonly at: string }[];
      /** Empty if the rules released it. */
      readonly releases: readonly { readonly by: string; readonly at: string }[];
    }
  | { readonly request_id: string; readonly requested_by: string; readonly approved_by: string };

const HOLD_REASON = 'We’re checking this payment before we send it.';

/** Orders a payout. The caller has decided in the same transaction that the money is due. */
export async function orderPayout(deps: AppDeps, tx: Tx, facts: PayoutOrder, authorisation: Authorisation): Promise<void> {
  const { companyId, id } = facts;
  const order = { ...facts, authorisedBy: JSON.stringify(authorisation) };
  const orderSeal = sealFacts(deps.tokenCipher, getOrderSealContext(order), listOrderFacts(order));
  await tx.insert(payouts).values({ ...order, status: 'created', orderSeal });
  await deps.enqueue(tx, 'payout.submit', { company_id: companyId, payout_id: id }, { singletonKey: `payout.submit:${id}` });
}

/** Checks that the portal itself ordered exactly this payment. Orders from before migration 0072 don't include an authorisation. */
export function checkOrder({ tokenCipher }: Pick<AppDeps, 'tokenCipher'>, payout: PayoutRow): SealCheck {
  return checkFacts(tokenCipher, payout.orderSeal, getOrderSealContext(payout), listOrderFacts(payout));
}

/**
 * How long an order whose key this instance lacks is left to instances that have the key. After that it is held, in case the key has been
 * lost permanently.
 */
const MISSING_KEY_MS = 3_600_000;

/**
 * Returns whether the order may be sent. An order that the portal didn't write is held and shown to operators until it is valid again or
 * two operators discard it.
 */
export async function ensurePayoutOrdered(deps: AppDeps, tx: Tx, payout: PayoutRow): Promise<boolean> {
  const check = checkOrder(deps, payout);
  const isSealed = check === 'sealed';
  if (check === 'not_sealed') deps.recordSecurityEvent('payout_refused', { reason: 'payout.not_ordered' });
  if (check === 'key_missing') {
    recordMissingKey(deps, getOrderSealContext(payout));
    if (addMilliseconds(payout.createdAt, MISSING_KEY_MS) > deps.clock.now()) return false;
  }
  if (isSealed === (payout.refusedAt === null)) return isSealed;
  await tx
    .update(payouts)
    .set({ refusedAt: isSealed ? null : deps.clock.now() })
    .where(and(eq(payouts.companyId, payout.companyId), eq(payouts.id, payout.id)));
  if (payout.advanceId === null) return isSealed;
  await tx
    .update(advances)
    .set({ payoutHold: isSealed ? null : HOLD_REASON, updatedAt: deps.clock.now() })
    .where(and(eq(advances.companyId, payout.companyId), eq(advances.id, payout.advanceId), eq(advances.state, 'paying')));
  return isSealed;
}

export function getOrderSealContext({ companyId, id }: Pick<PayoutOrder, 'companyId' | 'id'>): SealContext {
  return `payout_order:${companyId}:${id}`;
}

function listOrderFacts(order: PayoutOrder & Pick<PayoutRow, 'authorisedBy'>): SealedFact[] {
  const { advanceId, round, amountPence, accountHolder, sortCode, accountNumber, reference, createdAt, authorisedBy } = order;
  const facts = [advanceId, round, amountPence, accountHolder, sortCode, accountNumber, reference, createdAt];
  return authorisedBy === null ? facts : [...facts, authorisedBy];
}
