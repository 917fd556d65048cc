/**
 * Orders payouts. An order is sealed with a key that isn't in the database, and checked before it is sent, so a row that someone wrote or
 * changed with SQL pays no one. What an order is decided by can still be forged that way (docs/decisions/0044-row-level-security.md).
 */
import type { Tx } from '@portal/db/database.ts';
import { payouts } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { SealedPlace } from '../../secrets/token-cipher.ts';

type PayoutRow = typeof payouts.$inferSelect;
type PayoutOrder = Pick<
  PayoutRow,
  'companyId' | 'id' | 'advanceId' | 'round' | 'amountPence' | 'accountHolder' | 'sortCode' | 'accountNumber' | 'reference' | 'createdAt'
>;

/** The caller has decided, in the same transaction, that the money is due. */
export async function orderPayout(deps: AppDeps, tx: Tx, order: PayoutOrder): Promise<void> {
  const { companyId, id } = order;
  await tx
    .insert(payouts)
    .values({ ...order, status: 'created', orderSeal: deps.tokenCipher.seal(toSealedText(order), getOrderPlace(order)) });
  await deps.enqueue(tx, 'payout.submit', { company_id: companyId, payout_id: id }, { singletonKey: `payout.submit:${id}` });
}

/** Throws unless the portal itself ordered exactly this payment. */
export function assertOrdered({ tokenCipher, recordSecurityEvent }: AppDeps, payout: PayoutRow): void {
  if (isOrdered(tokenCipher, payout)) return;
  recordSecurityEvent('payout_refused', { reason: 'payout.not_ordered' });
  throw new AppError('conflict', 'payout.not_ordered', `The payout ${payout.id} isn’t what the portal ordered, so it wasn’t sent.`);
}

function isOrdered(tokenCipher: AppDeps['tokenCipher'], payout: PayoutRow): boolean {
  if (payout.orderSeal === null) return false;
  try {
    return tokenCipher.open(payout.orderSeal, getOrderPlace(payout)) === toSealedText(payout);
  } catch {
    // Written without the key, moved from another payout, or this instance lacks the key.
    return false;
  }
}

export function getOrderPlace({ companyId, id }: Pick<PayoutOrder, 'companyId' | 'id'>): SealedPlace {
  return `payout_order:${companyId}:${id}`;
}

function toSealedText(order: PayoutOrder): string {
  const { advanceId, round, amountPence, accountHolder, sortCode, accountNumber, reference, createdAt } = order;
  return JSON.stringify([advanceId, round, amountPence, accountHolder, sortCode, accountNumber, reference, createdAt]);
}
