import { dueItems } from '@portal/db/schema/schema.ts';

/** What every list shows of an item that is due, under the contract's names. */
export const DUE_ITEM_COLUMNS = {
  key: dueItems.key,
  what: dueItems.what,
  kind: dueItems.kind,
  due_on: dueItems.dueOn,
  amount_pence: dueItems.amountPence,
  title: dueItems.title,
  source: dueItems.source,
  as_of: dueItems.asOf,
};
