/** Texts for documents that have changed since a return's figures were approved or filed. */
import type { DocumentChange, ReturnChanges } from '@portal/contract/return-transactions.ts';
import { toLondonDate } from '@portal/domain/clock.ts';
import { formatPounds, pence, type Pence } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';

type Since = ReturnChanges['since'];
type ChangedRow = { readonly change: DocumentChange | null; readonly other_amount_pence: Pence | null };

const CHANGE_NAMES: Readonly<Record<DocumentChange, string>> = { added: 'Added', changed: 'Changed', removed: 'Removed' };

/** For example "3 documents changed since these figures were approved on 4 May 2026". */
export function describeChanges({ since, at, documents }: Pick<ReturnChanges, 'since' | 'at' | 'documents'>): string {
  const count = `${documents === 0 ? 'No' : documents.toLocaleString('en-GB')} ${documents === 1 ? 'document' : 'documents'}`;
  const event = since === 'approval' ? 'these figures were approved' : 'this return was filed';
  return `${count} changed since ${event} on ${formatDate(toLondonDate(at))}`;
}

/** For example "Changed since approval"; empty if nothing has changed. */
export function describeChange({ change }: Pick<ChangedRow, 'change'>, since: Since): string {
  return change === null ? '' : `${CHANGE_NAMES[change]} since ${since}`;
}

/** For example "was £120.00", or "now £120.00" after a filing; empty if the row has no other amount. */
export function describeOtherAmount({ change, other_amount_pence: amount }: ChangedRow, since: Since): string {
  if (change === null) return '';
  if (since === 'filing') return `now ${formatPounds(amount ?? pence(0))}`;
  return amount === null ? '' : `was ${formatPounds(amount)}`;
}

/** For example "Boxes 4 and 7". */
export function listBoxes({ boxes }: Pick<ReturnChanges, 'boxes'>): string {
  const numbers = boxes.map(({ box }) => box);
  const list = new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(numbers);
  return `${numbers.length === 1 ? 'Box' : 'Boxes'} ${list}`;
}
