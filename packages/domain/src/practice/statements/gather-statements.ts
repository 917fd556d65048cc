/** From the rows of a statement file to each client's whole statement, and what is refused. */
import type { ChargeFact, ObligationFact, PaymentFact } from '../positions/facts.ts';
import type { ParsedStatementRow, StatementEntry, StatementReference } from './parse-statement-row.ts';
import type { StatementTax } from './statement-columns.ts';

/** A client as far as statements must know it. */
export type StatementClient = { readonly id: string; readonly hasTax: boolean } & Readonly<
  Record<StatementReference['field'], string | null>
>;

/** A row with its line of the file (the header is 1). */
export type StatementRow = ParsedStatementRow & { readonly row: number };

/** What a client's rows say together; `returns` of corporation tax only, `pays` of PAYE only. */
export type ClientStatement = {
  readonly clientId: string;
  readonly charges: readonly ChargeFact[];
  readonly payments: readonly PaymentFact[];
  readonly returns?: readonly ObligationFact[];
  readonly pays?: 'monthly' | 'quarterly';
};

/** A row of which nothing was taken. */
export type RefusedRow = { readonly row: number; readonly field: string; readonly problem: string };

/** Every row is in one of the statements or refused. */
export type GatheredStatements = { readonly statements: readonly ClientStatement[]; readonly refused: readonly RefusedRow[] };

/**
 * A statement is the whole picture of a client's tax, in which a missing line would hide a debt: where one row of a client is wrong, none of
 * its rows is taken, and what was known of it before stays.
 */
export function gatherStatements(
  tax: StatementTax,
  rows: readonly StatementRow[],
  clients: readonly StatementClient[],
): GatheredStatements {
  const find = indexClients(clients);
  const refused: RefusedRow[] = [];
  const byClient = new Map<string, StatementRow[]>();
  for (const row of rows) {
    const client = row.reference && find(row.reference);
    const problem = client ? (client.hasTax ? undefined : HAS_NOT[tax]) : row.reference && UNKNOWN[row.reference.field];
    if (client && problem === undefined) {
      const own = byClient.get(client.id);
      if (own) own.push(row);
      else byClient.set(client.id, [row]);
    } else {
      refused.push({ row: row.row, ...(row.problems[0] ?? { field: 'reference', problem: problem ?? '' }) });
    }
  }
  const statements: ClientStatement[] = [];
  for (const [clientId, own] of byClient) {
    const faults = faultsOf(own);
    if (faults.size === 0) statements.push(statementOf(tax, clientId, own));
    else refused.push(...own.map(({ row }) => faults.get(row) ?? heldBack(row, [...faults.keys()][0] ?? row)));
  }
  return { statements, refused: refused.toSorted((a, b) => a.row - b.row) };
}

const UNKNOWN: Readonly<Record<StatementReference['field'], string>> = {
  paye_reference: 'No client of the practice has this PAYE reference.',
  utr: 'No client of the practice has this UTR.',
  company_number: 'No client of the practice has this company number.',
};

const HAS_NOT: Readonly<Record<StatementTax, string>> = {
  paye: 'This client does not have PAYE here. Add the tax to the client first.',
  ct: 'This client does not have corporation tax here. Add the tax to the client first.',
};

function indexClients(clients: readonly StatementClient[]): (reference: StatementReference) => StatementClient | undefined {
  const fields = ['paye_reference', 'utr', 'company_number'] as const;
  const byReference = new Map<string, StatementClient>();
  for (const client of clients) {
    for (const field of fields) if (client[field] !== null) byReference.set(`${field} ${client[field]}`, client);
  }
  return ({ field, value }) => byReference.get(`${field} ${value}`);
}

/** By their lines: what cannot be read, what is there twice, and two ways of paying. */
function faultsOf(rows: readonly StatementRow[]): ReadonlyMap<number, RefusedRow> {
  const faults = new Map<number, RefusedRow>();
  const seen = new Map<string, number>();
  const pays = rows.find((one) => one.pays !== null)?.pays;
  for (const { row, entry, problems, pays: paid } of rows) {
    const [problem] = problems;
    if (problem) faults.set(row, { row, ...problem });
    else if (paid !== null && paid !== pays)
      faults.set(row, { row, field: 'pays', problem: `An earlier line of this client says ${pays}.` });
    // Two equal payments of one day may both be true; a charge or a return stands once.
    if (entry === null || entry.entry === 'payment') continue;
    const text = JSON.stringify(entry);
    const earlier = seen.get(text);
    if (earlier === undefined) seen.set(text, row);
    else if (!faults.has(row)) faults.set(row, { row, field: 'entry', problem: `Line ${earlier} says the same. Keep one.` });
  }
  return faults;
}

function heldBack(row: number, faulty: number): RefusedRow {
  return { row, field: 'reference', problem: `Line ${faulty} of the same client is wrong, so that none of its lines is taken.` };
}

/** Sorted, so that the same statement in another order is the same. */
function statementOf(tax: StatementTax, clientId: string, rows: readonly StatementRow[]): ClientStatement {
  const entries = rows.flatMap(({ entry }) => entry ?? []);
  const pays = rows.find((one) => one.pays !== null)?.pays;
  return {
    clientId,
    charges: sorted(entries.flatMap((one) => (one.entry === 'charge' ? [one.fact] : []))),
    payments: sorted(entries.flatMap((one) => (one.entry === 'payment' ? [one.fact] : []))),
    ...(tax === 'ct' ? { returns: sorted(entries.flatMap((one) => (one.entry === 'return' ? [one.fact] : []))) } : {}),
    ...(tax === 'paye' && pays ? { pays } : {}),
  };
}

function sorted<Fact extends StatementEntry['fact']>(facts: readonly Fact[]): readonly Fact[] {
  return facts
    .map((fact) => ({ fact, key: sortKey(fact) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ fact }) => fact);
}

function sortKey(fact: StatementEntry['fact']): string {
  if ('amount' in fact) return `${fact.received ?? ''} ${fact.amount}`;
  if ('original' in fact)
    return `${fact.due ?? ''} ${fact.period?.start ?? ''} ${fact.title} ${fact.kind} ${fact.original} ${fact.outstanding}`;
  return `${fact.start} ${fact.end} ${fact.due}`;
}
