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

/** `choosing`: authorised, but the organisation hasn't been chosen. `lost`: the software no longer accepts our tokens. */
export const BOOKS_CONNECTION_STATUSES = ['choosing', 'connected', 'lost'] as const;
export type BooksConnectionStatus = (typeof BOOKS_CONNECTION_STATUSES)[number];

/**
 * `refused`: the bookkeeping software rejected our tokens. `expired`: the tokens went unused for longer than the software keeps them.
 * `removed`: someone removed our access to the organisation in the bookkeeping software.
 */
export const BOOKS_END_REASONS = ['refused', 'expired', 'removed'] as const;
export type BooksEndReason = (typeof BOOKS_END_REASONS)[number];
