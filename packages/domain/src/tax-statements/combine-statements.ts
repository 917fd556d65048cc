/** Matches the rows of a statement file to clients and combines each client's rows. */
import type { ChargeFact, ObligationFact, PaymentFact, PayeFrequency } from '../positions/tax-facts.ts';
import type { ParsedStatementRow, StatementEntry, StatementReference } from './parse-statement-row.ts';
import type { StatementTax } from './statement-columns.ts';

/** The details of a client that are needed to match statements. */
export type StatementClient = { readonly id: string; readonly hasTax: boolean } & Readonly<
  Record<StatementReference['field'], string | null>
>;

/** A row with its line number in the file (the header is line 1). */
export type StatementRow = ParsedStatementRow & { readonly row: number };

/** A client's combined rows; `returns` for corporation tax only, `pays` for PAYE only. */
export type ClientStatement = {
  readonly clientId: string;
  readonly charges: readonly ChargeFact[];
  readonly payments: readonly PaymentFact[];
  readonly returns?: readonly ObligationFact[];
  readonly pays?: PayeFrequency;
};

/** A row that wasn't imported. */
export type RejectedRow = { readonly row: number; readonly field: string; readonly problem: string };

/** The client a row belongs to, or why the row can't be imported. */
export type RowMatchResult =
  | { readonly matched: true; readonly clientId: string }
  | { readonly matched: false; readonly rejected: RejectedRow };

/**
 * Finds the client for each row, and rejects clients that don't have the tax. A faulty row that identifies its client still matches,
 * because it blocks that client's other rows.
 */
export function createStatementMatcher(tax: StatementTax, clients: readonly StatementClient[]): (row: StatementRow) => RowMatchResult {
  const find = indexClients(clients);
  return ({ row, reference, problems }) => {
    const client = reference && find(reference);
    if (client?.hasTax) return { matched: true, clientId: client.id };
    const problem = client ? MISSING_TAX_PROBLEMS[tax] : reference && UNKNOWN_CLIENT_PROBLEMS[reference.field];
    return { matched: false, rejected: { row, ...(problems[0] ?? { field: 'reference', problem: problem ?? '' }) } };
  };
}

/** A row whose client `createStatementMatcher` has found. */
export type ClientStatementRow = Omit<StatementRow, 'reference'>;

export type CombinedClientRows =
  | { readonly isAccepted: true; readonly statement: ClientStatement }
  | { readonly isAccepted: false; readonly rejected: readonly RejectedRow[] };

/**
 * Combines all rows for one client, in file order. A statement replaces all facts about the client's tax, so a missing line would hide a
 * debt: if one row is faulty, all are rejected and the earlier figures are kept.
 */
export function combineClientRows(tax: StatementTax, clientId: string, rows: readonly ClientStatementRow[]): CombinedClientRows {
  const faults = findRejectedRows(rows);
  if (faults.size === 0) return { isAccepted: true, statement: toClientStatement(tax, clientId, rows) };
  const first = [...faults.keys()][0] ?? 0;
  return { isAccepted: false, rejected: rows.map(({ row }) => faults.get(row) ?? rejectBecauseOfRow(row, first)) };
}

const UNKNOWN_CLIENT_PROBLEMS: Readonly<Record<StatementReference['field'], string>> = {
  paye_reference: 'None of your clients has this PAYE reference.',
  utr: 'None of your clients has this UTR.',
  company_number: 'None of your clients has this company number.',
};

const MISSING_TAX_PROBLEMS: Readonly<Record<StatementTax, string>> = {
  paye: 'PAYE isn’t switched on for this client. Add the tax to the client first.',
  ct: 'Corporation tax isn’t switched on for this client. Add the tax to the client first.',
};

function indexClients(clients: readonly StatementClient[]): (reference: StatementReference) => StatementClient | undefined {
  const fields = ['paye_reference', 'utr', 'company_number'] as const;
  const byReference = new Map<string, StatementClient>();
  for (const client of clients) {
    for (const field of fields) if (client[field] !== null) byReference.set(`${field} ${client[field]}`, client);
  }
  return ({ field, value }) => byReference.get(`${field} ${value}`);
}

/** Returns faults by line number: unreadable cells, duplicates and conflicting payment frequencies. */
function findRejectedRows(rows: readonly ClientStatementRow[]): ReadonlyMap<number, RejectedRow> {
  const faults = new Map<number, RejectedRow>();
  const rowCounts = new Map<string, number>();
  const payFrequency = rows.find((row) => row.pays !== null)?.pays;
  for (const { row, entry, problems, pays: statedFrequency } of rows) {
    const [problem] = problems;
    if (problem) faults.set(row, { row, ...problem });
    else if (statedFrequency !== null && statedFrequency !== payFrequency)
      faults.set(row, { row, field: 'pays', problem: `An earlier line for this client says ${payFrequency}.` });
    // Two equal payments on the same day can both be genuine; a charge or return must be unique.
    if (entry === null || entry.entry === 'payment') continue;
    const entryJson = JSON.stringify(entry);
    const earlierRow = rowCounts.get(entryJson);
    if (earlierRow === undefined) rowCounts.set(entryJson, row);
    else if (!faults.has(row)) faults.set(row, { row, field: 'entry', problem: `This repeats line ${earlierRow}. Keep one of them.` });
  }
  return faults;
}

function rejectBecauseOfRow(row: number, faultyRow: number): RejectedRow {
  return {
    row,
    field: 'reference',
    problem: `Line ${faultyRow} for the same client has an error, so none of this client’s lines can be imported.`,
  };
}

/** Sorts the entries, so that row order doesn't matter. */
function toClientStatement(tax: StatementTax, clientId: string, rows: readonly ClientStatementRow[]): ClientStatement {
  const entries = rows.flatMap(({ entry }) => entry ?? []);
  const payFrequency = rows.find((row) => row.pays !== null)?.pays;
  return {
    clientId,
    charges: sortFacts(entries.flatMap((item) => (item.entry === 'charge' ? [item.fact] : []))),
    payments: sortFacts(entries.flatMap((item) => (item.entry === 'payment' ? [item.fact] : []))),
    ...(tax === 'ct' ? { returns: sortFacts(entries.flatMap((item) => (item.entry === 'return' ? [item.fact] : []))) } : {}),
    ...(tax === 'paye' && payFrequency ? { pays: payFrequency } : {}),
  };
}

function sortFacts<Fact extends StatementEntry['fact']>(facts: readonly Fact[]): readonly Fact[] {
  return facts
    .map((fact) => ({ fact, key: getSortKey(fact) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ fact }) => fact);
}

function getSortKey(fact: StatementEntry['fact']): string {
  if ('amount' in fact) return `${fact.received ?? ''} ${fact.amount}`;
  if ('original' in fact)
    return `${fact.due ?? ''} ${fact.period?.start ?? ''} ${fact.title} ${fact.kind} ${fact.original} ${fact.outstanding}`;
  return `${fact.start} ${fact.end} ${fact.due}`;
}
