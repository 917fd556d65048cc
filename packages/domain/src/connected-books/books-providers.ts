/** Bookkeeping software whose books we read (decision 56). */
export const BOOKS_PROVIDERS = ['xero', 'quickbooks', 'freeagent'] as const;
export type BooksProviderName = (typeof BOOKS_PROVIDERS)[number];

/** The products' names as users know them. */
export const BOOKS_PROVIDER_NAMES: Readonly<Record<BooksProviderName, string>> = {
  xero: 'Xero',
  quickbooks: 'QuickBooks',
  freeagent: 'FreeAgent',
};

/** Bookkeeping software that a practice connects once for all its clients. QuickBooks is connected separately for each client. */
export const GRANT_PROVIDERS: readonly BooksProviderName[] = ['xero', 'freeagent'];
