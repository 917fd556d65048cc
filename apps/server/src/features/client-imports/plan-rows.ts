/**
 * Plans what an import does with each row: create a client, fill empty fields, or ask the user. No I/O: the caller passes the known
 * clients.
 */
import type { ImportOutcome, RowChoice } from '@portal/domain/practice/client-import/import-states.ts';
import { randomUUID } from 'node:crypto';
import type { clients } from '@portal/db/schema/schema.ts';
import type { ImportColumn } from '@portal/domain/practice/client-import/import-columns.ts';
import { CLIENT_REFERENCES, type ImportedClient, type RowProblem } from '@portal/domain/practice/client-import/imported-client.ts';
import type { createMatcher } from '@portal/domain/practice/client-import/match-clients.ts';
import { judgeImportRow } from '@portal/domain/practice/client-import/parse-import-row.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import type { ReferenceHolders } from './known-clients.ts';

export type RowInHand = {
  readonly row: number;
  readonly said: Readonly<Partial<Record<ImportColumn, string>>>;
  readonly choice: RowChoice | null;
  readonly clientId: string | null;
};

/** The practice's clients as the import sees them while it runs. */
export type Ground = { readonly match: ReturnType<typeof createMatcher>; readonly holders: ReferenceHolders };

type ClientRow = typeof clients.$inferSelect;
/** The columns that a file may fill when they are empty. */
export const FILLED = [
  'vrn',
  'utr',
  'nino',
  'companyNumber',
  'payeReference',
  'accountsOfficeReference',
  'postcode',
  'vatRegisteredOn',
  'yearEndOn',
  'yearEndSource',
  'email',
  'phone',
  'hasVat',
  'hasPaye',
  'hasCt',
  'hasSa',
] as const satisfies readonly (keyof ClientRow)[];
export type FilledColumn = (typeof FILLED)[number];

/** For each filled column, the value before and the value that the row set. Undo needs both. */
export type Before = Readonly<Partial<Record<FilledColumn, { readonly was: unknown; readonly set: unknown }>>>;

/** The part of a client that an import row may fill. */
export type FillableClient = Pick<ClientRow, 'id' | FilledColumn>;

export type Decided =
  | { readonly row: number; readonly does: 'make'; readonly id: string; readonly client: ImportedClient }
  | { readonly row: number; readonly does: 'fill'; readonly id: string; readonly client: ImportedClient }
  | {
      readonly row: number;
      readonly does: 'nothing';
      readonly outcome: ImportOutcome;
      readonly problems: readonly RowProblem[];
      readonly candidates: readonly string[];
    };

/** Validates and matches a row against the current clients, because days may have passed since the upload. */
export function decideRow({ row, said, choice, clientId }: RowInHand, { match, holders }: Ground): Decided {
  const { client, problems } = judgeImportRow(said);
  if (client === null) return { row, does: 'nothing', outcome: 'invalid', problems, candidates: [] };
  if (choice === 'client' && clientId !== null) {
    takeFree(client, clientId, holders);
    return { row, does: 'fill', id: clientId, client };
  }
  if (choice !== 'new') {
    const found = match(client, row);
    if (found.outcome === 'matched') {
      takeFree(client, found.clientId, holders);
      return { row, does: 'fill', id: found.clientId, client };
    }
    if (found.outcome === 'ambiguous') return unclear(row, found, found.candidates);
    if (found.outcome === 'duplicate') {
      return {
        row,
        does: 'nothing',
        outcome: 'duplicate',
        problems: [{ field: found.field, problem: `Line ${found.row} is the same client.` }],
        candidates: [],
      };
    }
  }
  const [held] = holders.othersHolding(client);
  if (held) {
    return unclear(row, { field: held.field, problem: 'Another client has this now. Choose whether it is the same client.' }, [
      held.holder,
    ]);
  }
  const id = randomUUID();
  holders.take(client, id);
  return { row, does: 'make', id, client };
}

function unclear(row: number, { field, problem }: RowProblem, candidates: readonly string[]): Decided {
  return { row, does: 'nothing', outcome: 'ambiguous', problems: [{ field, problem }], candidates };
}

function takeFree(client: ImportedClient, id: string, holders: ReferenceHolders): void {
  const taken = new Set<string>(holders.othersHolding(client, id).map(({ field }) => field));
  const free = CLIENT_REFERENCES.map((field) => [field, taken.has(field) ? null : client[field]]);
  holders.take(Object.fromEntries(free) as Record<(typeof CLIENT_REFERENCES)[number], string | null>, id);
}

/** Fills only empty fields. A reference that another client holds is left out. */
export function fillClient(
  now: FillableClient,
  client: ImportedClient,
  holders: ReferenceHolders,
): { filled: FillableClient; before: Before } {
  const offered = columnsOf(client);
  const taken = new Set<string>(holders.othersHolding(client, now.id).map(({ field }) => REFERENCE_COLUMNS[field]));
  const before: Partial<Record<FilledColumn, { was: unknown; set: unknown }>> = {};
  for (const column of FILLED) {
    const [was, set] = [now[column], offered[column]];
    const isEmpty = was === null || was === false;
    if (isEmpty && set !== null && set !== false && !taken.has(column)) before[column] = { was, set };
  }
  // The source of the year end is only set together with the year end.
  if (before.yearEndOn === undefined) delete before.yearEndSource;
  const set = Object.fromEntries(Object.entries(before).map(([column, value]) => [column, value.set]));
  return { filled: { ...now, ...set }, before };
}

const REFERENCE_COLUMNS = {
  vrn: 'vrn',
  utr: 'utr',
  nino: 'nino',
  company_number: 'companyNumber',
  paye_reference: 'payeReference',
} as const satisfies Record<(typeof CLIENT_REFERENCES)[number], FilledColumn>;

/** An imported client as columns of the clients table. */
export function columnsOf(client: ImportedClient): Pick<ClientRow, FilledColumn> {
  const has = (tax: Tax): boolean => client.taxes.includes(tax);
  return {
    vrn: client.vrn,
    utr: client.utr,
    nino: client.nino,
    companyNumber: client.company_number,
    payeReference: client.paye_reference,
    accountsOfficeReference: client.accounts_office_reference,
    postcode: client.postcode,
    vatRegisteredOn: client.vat_registered_on,
    yearEndOn: client.year_end_on,
    yearEndSource: client.year_end_on === null ? null : 'practice',
    email: client.email,
    phone: client.phone,
    hasVat: has('vat'),
    hasPaye: has('paye'),
    hasCt: has('ct'),
    hasSa: has('sa'),
  };
}
