/** Item names, as used in law and by HMRC. */
import type { ItemKind } from './position.ts';

const ITEM_NAMES: Readonly<Record<ItemKind, readonly [one: string, many: string]>> = {
  return: ['return', 'returns'],
  quarterly_update: ['quarterly update', 'quarterly updates'],
  final_declaration: ['final declaration', 'final declarations'],
  payment: ['payment', 'payments'],
  balancing_payment: ['balancing payment', 'balancing payments'],
  payment_on_account: ['payment on account', 'payments on account'],
  penalty: ['penalty', 'penalties'],
  interest: ['interest charge', 'interest charges'],
  refund: ['refund', 'refunds'],
};

/** Returns an item's name, for example "payment on account"; in the plural unless the count is one. */
export function getItemName(kind: ItemKind, count = 1): string {
  return ITEM_NAMES[kind][count === 1 ? 0 : 1];
}
