/** Tessa Bright's books in all three bookkeeping products: those of Brightwell Exports, and organisations that can't be used. */
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import type { BooksProviderName, SandboxBooks } from '../books/sandbox-books.ts';
import { createBrightwellEntries } from './brightwell-books.ts';
import { BRIGHTWELL } from './seed-data.ts';

/** Slightly more than two VAT quarters, like the portal's seed file. */
const BOOKS_DAYS = 200;
const ORGANISATION_IDS: Readonly<Record<BooksProviderName, string>> = {
  xero: '6f2d1b9e-8c1f-4d7a-9a55-2f0c8d3e4b71',
  quickbooks: BRIGHTWELL.realmId,
  freeagent: 'brightwell',
};

/** Seeds the organisations. Running it again changes nothing. */
export function seedBooks(books: Readonly<Record<BooksProviderName, SandboxBooks>>, today: PlainDate): void {
  const { organisationName: name, ownerEmail, vrn: vatNumber } = BRIGHTWELL;
  for (const [provider, id] of Object.entries(ORGANISATION_IDS) as [BooksProviderName, string][]) {
    if (books[provider].findOrganisation(id)) continue;
    books[provider].putOrganisation({ id, name, ownerEmail, vatNumber });
    const entries = createBrightwellEntries(addDays(today, -BOOKS_DAYS), today);
    for (const [index, entry] of entries.entries()) books[provider].putEntry(id, { id: String(index + 1), ...entry });
  }
  const sharedSettings = { ownerEmail, vatNumber };
  books.xero.putOrganisation({
    ...sharedSettings,
    id: '0c7d2f5a-1f43-4e0e-8a39-77b1c0de0001',
    name: 'Demo Company (UK)',
    vatNumber: '123456782',
    isDemo: true,
  });
  books.xero.putOrganisation({
    ...sharedSettings,
    id: '0c7d2f5a-1f43-4e0e-8a39-77b1c0de0002',
    name: 'Bright & Daughters',
    scheme: 'flat_rate',
  });
}
