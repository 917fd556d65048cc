/** Proves that the portal itself decided a refund: a row written or changed with SQL can't cause a refund (decision 72). */
import type { invoiceRefunds } from '@portal/db/schema/schema.ts';
import type { AppDeps } from '../../app-deps.ts';
import { areFactsSealed, sealFacts, type SealedFact } from '../../secrets/sealed-facts.ts';
import type { SealContext } from '../../secrets/token-cipher.ts';

type Order = Pick<
  typeof invoiceRefunds.$inferSelect,
  'companyId' | 'id' | 'kind' | 'invoiceId' | 'netPence' | 'vatPence' | 'totalPence' | 'lines' | 'reason' | 'attempt' | 'orderedAt'
>;

/** Seals the refund as two operators approved it, for its current attempt. */
export function sealRefund({ tokenCipher }: Pick<AppDeps, 'tokenCipher'>, order: Order): string {
  return sealFacts(tokenCipher, getRefundSealContext(order), listFacts(order));
}

/** Returns true if `orderSeal` was written with exactly these facts. */
export function isRefundSealed(
  { tokenCipher }: Pick<AppDeps, 'tokenCipher'>,
  order: Order & { readonly orderSeal: string | null },
): boolean {
  return areFactsSealed(tokenCipher, order.orderSeal, getRefundSealContext(order), listFacts(order));
}

export function getRefundSealContext({ companyId, id }: Pick<Order, 'companyId' | 'id'>): SealContext {
  return `refund_order:${companyId}:${id}`;
}

function listFacts({ kind, invoiceId, netPence, vatPence, totalPence, lines, reason, attempt, orderedAt }: Order): SealedFact[] {
  const amounts = lines.map(({ position, amountPence }) => `${position}:${amountPence}`).join(' ');
  return [invoiceId, netPence, vatPence, totalPence, amounts, reason, attempt, orderedAt, ...(kind === 'refund' ? [] : [kind])];
}
