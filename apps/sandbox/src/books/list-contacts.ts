import type { BooksEntry } from './books-entry.ts';

/** A customer or supplier, derived from its documents. */
export type BooksContact = { readonly name: string; readonly vatNumber: string | null; readonly changedAt: string };

const USUAL_VAT_NUMBER = 'GB 987 6543 21';

/** Lists the contacts. The most recently changed document of a contact takes precedence. */
export function listContacts(entries: readonly BooksEntry[]): BooksContact[] {
  const contacts = new Map<string, BooksContact>();
  for (const { counterparty: name, supplierVatNumber: vatNumber = USUAL_VAT_NUMBER, changedAt } of entries) {
    const knownContact = contacts.get(name);
    if (!knownContact || knownContact.changedAt <= changedAt) contacts.set(name, { name, vatNumber, changedAt });
  }
  return [...contacts.values()];
}
