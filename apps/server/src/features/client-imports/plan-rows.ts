/**
 * Plans the action for each row of an import: create a client, fill empty fields, or ask the user. Performs no I/O: the caller passes the
 * known clients.
 */
import type { ImportOutcome, RowChoice } from '@portal/domain/client-imports/import-states.ts';
import { randomUUID } from 'node:crypto';
import type { clients } from '@portal/db/schema/schema.ts';
import { CLIENT_REFERENCES, type ImportedClient, type RowProblem } from '@portal/domain/client-imports/imported-client.ts';
import type { RawValues } from '@portal/domain/client-imports/map-cells.ts';
import { REFERENCE_NAMES, type createMatcher, type MatchedBy } from '@portal/domain/client-imports/match-clients.ts';
import { omitSharedReferences } from '@portal/domain/client-imports/shared-references.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { validateImportRow } from '@portal/domain/client-imports/parse-import-row.ts';
import { isStatusContradicted, type StatusChoices, toClientStatus } from '@portal/domain/client-imports/client-status-text.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import type { ReferenceHolders } from './known-clients.ts';

export type PendingRow = {
  readonly row: number;
  readonly rawValues: RawValues;
  readonly choice: RowChoice | null;
  readonly clientId: string | null;
};

/** The practice's clients as the import sees them while it runs. */
export type ImportContext = {
  readonly match: ReturnType<typeof createMatcher>;
  readonly holders: ReferenceHolders;
  /** Makes a row a member if the file says who represents its VAT group. */
  readonly readGroup: (client: ImportedClient, row: number) => ImportedClient;
  readonly today: PlainDate;
  readonly statusChoices: StatusChoices;
};

type ClientRow = typeof clients.$inferSelect;
/** The columns that a file may fill when they are empty. `status` changes only if a user chose that. */
export const FILLABLE_COLUMNS = [
  'status',
  'vrn',
  'vatGroupRole',
  'vatGroupVrn',
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
  'clientCode',
  'hasVat',
  'hasPaye',
  'hasCt',
  'hasSa',
] as const satisfies readonly (keyof ClientRow)[];
export type FillableColumn = (typeof FILLABLE_COLUMNS)[number];

/** The previous value and the new value of each filled column. Undo needs both. */
export type FilledValues = Readonly<Partial<Record<FillableColumn, { readonly was: unknown; readonly set: unknown }>>>;

/** The part of a client that an import row may fill. */
export type FillableClient = Pick<ClientRow, 'id' | FillableColumn>;

/** `problems` lists the details left out when the client is created or filled. */
export type RowAction =
  | {
      readonly row: number;
      readonly action: 'create';
      readonly id: string;
      readonly client: ImportedClient;
      readonly problems: readonly RowProblem[];
    }
  | {
      readonly row: number;
      readonly action: 'fill';
      readonly id: string;
      readonly client: ImportedClient;
      readonly problems: readonly RowProblem[];
      /** Null if a user chose the client. */
      readonly matchedBy: readonly MatchedBy[] | null;
    }
  | {
      readonly row: number;
      readonly action: 'none';
      readonly outcome: ImportOutcome;
      readonly problems: readonly RowProblem[];
      readonly candidates: readonly string[];
    };

/** Validates and matches a row against the current clients, because days may have passed since the upload. */
export function planRow(
  { row, rawValues, choice, clientId }: PendingRow,
  { match, holders, readGroup, today, statusChoices }: ImportContext,
): RowAction {
  const { client: read, problems } = validateImportRow(rawValues, today);
  if (read === null) return { row, action: 'none', outcome: 'invalid', problems, candidates: [] };
  const client = readGroup(read, row);
  /** Returns the values to import for the client with this ID, without references that it shares with another client. */
  const takeFor = (id: string | undefined) => {
    const own = holders.toDetailsOf(id, client);
    const unshared = omitSharedReferences(own, holders.listShared(own, id));
    return { client: unshared.client, problems: [...problems, ...unshared.problems] };
  };
  const fill = (id: string, matchedBy: readonly MatchedBy[] | null): RowAction => {
    const fillData = takeFor(id);
    claimFreeReferences(fillData.client, id, holders);
    return { row, action: 'fill', id, ...fillData, matchedBy };
  };
  if (choice === 'client' && clientId !== null) return fill(clientId, null);
  if (choice !== 'new') {
    const clientMatch = match(client, row);
    if (clientMatch.outcome === 'matched') return fill(clientMatch.clientId, clientMatch.by);
    if (clientMatch.outcome === 'ambiguous') return toAmbiguousRow(row, clientMatch, clientMatch.candidates);
    if (clientMatch.outcome === 'duplicate') {
      const { field, problem } = clientMatch;
      return { row, action: 'none', outcome: 'duplicate', problems: [{ field, problem }], candidates: [] };
    }
    if (isLeftOut(client, statusChoices)) return { row, action: 'none', outcome: 'not_client', problems, candidates: [] };
  }
  const creationData = takeFor(undefined);
  const [conflict] = holders.findOtherHolders(creationData.client);
  if (conflict) {
    const { field, holder } = conflict;
    return toAmbiguousRow(row, { field, problem: `Another client now has this ${REFERENCE_NAMES[field]}. Is it the same client?` }, [
      holder.id,
    ]);
  }
  const id = randomUUID();
  holders.claim(creationData.client, { id, name: client.name, isRepresentative: creationData.client.vat_group_role === 'representative' });
  return { row, action: 'create', id, ...creationData };
}

/** A prospect isn't a client of the practice yet, but a user can choose to import prospects too. */
export function isLeftOut({ status }: ImportedClient, { prospects }: StatusChoices): boolean {
  return status === 'prospect' && prospects === 'leave_out';
}

function toAmbiguousRow(row: number, { field, problem }: RowProblem, candidates: readonly string[]): RowAction {
  return { row, action: 'none', outcome: 'ambiguous', problems: [{ field, problem }], candidates };
}

function claimFreeReferences(client: ImportedClient, id: string, holders: ReferenceHolders): void {
  const takenFields = new Set<string>(holders.findOtherHolders(client, id).map(({ field }) => field));
  const freeReferences = CLIENT_REFERENCES.map((field) => [field, takenFields.has(field) ? null : client[field]]);
  // A client that already represents its group keeps the number, so it is in no claim here.
  const isRepresentative = client.vat_group_role === 'representative' || holders.findHolder('vrn', client.vrn)?.isRepresentative === true;
  const claimedReferences = Object.fromEntries(freeReferences) as Record<(typeof CLIENT_REFERENCES)[number], string | null>;
  holders.claim(claimedReferences, { id, name: client.name, isRepresentative });
}

/** Fills only empty fields. A reference that another client has is left out, and the status changes only if a user chose that. */
export function fillClient(
  current: FillableClient,
  client: ImportedClient,
  { holders, statusChoices }: Pick<ImportContext, 'holders' | 'statusChoices'>,
): { filled: FillableClient; before: FilledValues } {
  const importedColumns = toClientColumns(client);
  const takenFields = new Set<string>(holders.findOtherHolders(client, current.id).map(({ field }) => REFERENCE_COLUMNS[field]));
  const filledColumns: Partial<Record<FillableColumn, { was: unknown; set: unknown }>> = {};
  for (const column of FILLABLE_COLUMNS) {
    const [currentValue, set] = [current[column], importedColumns[column]];
    const isEmpty = currentValue === null || currentValue === false;
    if (isEmpty && set !== null && set !== false && !takenFields.has(column)) filledColumns[column] = { was: currentValue, set };
  }
  if (statusChoices.existing === 'change' && isStatusContradicted(current.status, client.status))
    filledColumns.status = { was: current.status, set: importedColumns.status };
  for (const column of listForbidden(current, importedColumns, takenFields.has('vrn'))) delete filledColumns[column];
  // The source of the year end is only set together with the year end.
  if (filledColumns.yearEndOn === undefined) delete filledColumns.yearEndSource;
  const set = Object.fromEntries(Object.entries(filledColumns).map(([column, value]) => [column, value.set]));
  return { filled: { ...current, ...set }, before: filledColumns };
}

/** Returns the VAT columns that a file doesn't fill: a member has no VAT of its own, and a file takes no VAT away from a client. */
function listForbidden(
  current: FillableClient,
  importedFields: Pick<ClientRow, FillableColumn>,
  isNumberTaken: boolean,
): readonly FillableColumn[] {
  if (current.vatGroupRole === 'member') return ['hasVat', 'vrn'];
  if (importedFields.vatGroupRole === 'member') return isRegistered(current) ? ['vatGroupRole', 'vatGroupVrn'] : [];
  const holdsNumber = !isNumberTaken && (current.vrn === null || current.vrn === importedFields.vrn);
  return importedFields.vatGroupRole === 'representative' && !holdsNumber ? ['vatGroupRole'] : [];
}

const isRegistered = ({ hasVat, vrn }: FillableClient): boolean => hasVat || vrn !== null;

/** Says what a file's VAT group can't change of an existing client, which a person decides. */
export function checkVatGroup(current: FillableClient, { vat_group_role: role }: ImportedClient): readonly RowProblem[] {
  if (role === 'representative' && current.vatGroupRole === 'member') {
    const problem = 'This client is a member of a VAT group here. If it’s now the representative member, set the VAT group on its page.';
    return [{ field: 'vat_group', problem }];
  }
  if (role !== 'member' || current.vatGroupRole === 'member' || !isRegistered(current)) return [];
  const problem = 'This client is registered for VAT separately here. If it’s a member of a VAT group, set the VAT group on its page.';
  return [{ field: 'vat_group', problem }];
}

const REFERENCE_COLUMNS = {
  vrn: 'vrn',
  utr: 'utr',
  nino: 'nino',
  company_number: 'companyNumber',
  paye_reference: 'payeReference',
} as const satisfies Record<(typeof CLIENT_REFERENCES)[number], FillableColumn>;

/** Converts an imported client to columns of the clients table. */
export function toClientColumns(client: ImportedClient): Pick<ClientRow, FillableColumn> {
  const hasTax = (tax: Tax): boolean => client.taxes.includes(tax);
  return {
    status: toClientStatus(client.status),
    vrn: client.vrn,
    vatGroupRole: client.vat_group_role,
    vatGroupVrn: client.vat_group_vrn,
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
    clientCode: client.client_code,
    hasVat: hasTax('vat'),
    hasPaye: hasTax('paye'),
    hasCt: hasTax('ct'),
    hasSa: hasTax('sa'),
  };
}
