/** The states of a client import, and of its rows. */

/** The source of a file: created by the practice itself or exported from another product. */
export const FILE_SOURCES = ['file', 'freeagent', 'nomi'] as const;
export type FileSource = (typeof FILE_SOURCES)[number];

/** A practice's own list of clients, read from connected bookkeeping software. Its column names are ours, so users needn't map them. */
export const LIST_SOURCES = ['freeagent_list'] as const;
export type ListSource = (typeof LIST_SOURCES)[number];

export function isListSource(source: string): source is ListSource {
  return LIST_SOURCES.some((item) => item === source);
}

/** All sources of an import: a file, a list of clients in bookkeeping software, or the list of clients at HMRC. */
export const IMPORT_SOURCES = [...FILE_SOURCES, ...LIST_SOURCES, 'agent_relationships'] as const;
export type ImportSource = (typeof IMPORT_SOURCES)[number];

/**
 * `checking`: being read. `mapping`: the user must choose what its columns mean. `ready`: validated, but not applied yet. `cancelled`,
 * `failed`: stopped midway; it can be restarted or undone.
 */
export const IMPORT_STATES = ['checking', 'mapping', 'ready', 'importing', 'completed', 'failed', 'cancelled', 'undone'] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

/**
 * The result of checking a row. `duplicate`: an earlier row in the file is the same client. `skipped`: the user chose to skip it.
 * `not_client`: the file marks it as a prospect or supplier. The last five don't change anything.
 */
export const IMPORT_OUTCOMES = ['new', 'matched', 'ambiguous', 'duplicate', 'invalid', 'skipped', 'not_client'] as const;
export type ImportOutcome = (typeof IMPORT_OUTCOMES)[number];

/** The user's choice for an ambiguous row. */
export const ROW_CHOICES = ['client', 'new', 'skip'] as const;
export type RowChoice = (typeof ROW_CHOICES)[number];

/** How undo affects a row's client: a created client is removed, a matched one is restored, and one that has been worked on is kept. */
export const UNDONE_ROWS = ['removed', 'restored', 'kept'] as const;
export type UndoneRow = (typeof UNDONE_ROWS)[number];

/**
 * Filters for an import's rows: an outcome, `needs_fixing` (imported without a detail that we couldn't read), `archived` (new clients
 * imported as archived), `status_differs` (existing clients archived only in the file, or only here), or the effect of undo.
 */
export const ROW_FILTERS = [...IMPORT_OUTCOMES, 'needs_fixing', 'archived', 'status_differs', ...UNDONE_ROWS] as const;
export type RowFilter = (typeof ROW_FILTERS)[number];
