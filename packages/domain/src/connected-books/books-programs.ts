/** Bookkeeping software whose books we read (decision 56). */
export const BOOKS_PROGRAMS = ['xero', 'quickbooks', 'freeagent'] as const;
export type BooksProgramName = (typeof BOOKS_PROGRAMS)[number];

/** The products' names as users know them. */
export const BOOKS_PROGRAM_NAMES: Readonly<Record<BooksProgramName, string>> = {
  xero: 'Xero',
  quickbooks: 'QuickBooks',
  freeagent: 'FreeAgent',
};

/** Bookkeeping software that a practice connects once for all of its clients. QuickBooks is connected for each client. */
export const GRANT_PROGRAMS: readonly BooksProgramName[] = ['xero', 'freeagent'];
