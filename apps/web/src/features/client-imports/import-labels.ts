/** Labels and texts for imports, their rows and their fields. */
import { REFERENCE_NAMES, type MatchedBy } from '@portal/domain/client-imports/match-clients.ts';
import type { RowFilter } from '@portal/domain/client-imports/import-states.ts';
import type { ClientImport } from '@portal/contract/client-imports.ts';
import { IMPORT_COLUMNS, type ImportColumn } from '@portal/domain/client-imports/import-columns.ts';
import type { Refreshing } from '@portal/contract/sync.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { Role } from '../../core/tokens.ts';
import { TAX_NAMES } from '../../lib/tax-names.ts';
import type { IconName } from '../../ui/icon.tsx';

type OutcomeLabels = { readonly label: string; readonly chip: string; readonly icon: IconName; readonly tone: Role };

/** In the order of the filter chips: rows that need action first. */
export const FILTER_LABELS: Readonly<Record<RowFilter, OutcomeLabels>> = {
  ambiguous: { label: 'Needs a decision', chip: 'Needs a decision', icon: 'help', tone: 'warning' },
  invalid: { label: 'Can’t be imported', chip: 'Can’t be imported', icon: 'errorCircle', tone: 'error' },
  needs_fixing: { label: 'Needs fixing', chip: 'Needs fixing', icon: 'warning', tone: 'warning' },
  new: { label: 'New', chip: 'New', icon: 'check', tone: 'success' },
  matched: { label: 'Already clients', chip: 'Already a client', icon: 'info', tone: 'info' },
  duplicate: { label: 'Duplicates', chip: 'Duplicate', icon: 'file', tone: 'info' },
  skipped: { label: 'Skipped', chip: 'Skipped', icon: 'close', tone: 'info' },
};

export const FILTERS = Object.keys(FILTER_LABELS) as RowFilter[];

const FIELD_LABELS: Readonly<Record<ImportColumn, string>> = {
  name: 'Name',
  kind: 'Client type',
  taxes: 'Taxes',
  vrn: 'VAT number',
  utr: 'UTR',
  nino: 'National Insurance number',
  company_number: 'Company number',
  paye_reference: 'PAYE reference',
  accounts_office_reference: 'Accounts Office reference',
  postcode: 'Postcode',
  vat_registered_on: 'VAT registration date',
  year_end: 'Year end',
  email: 'Email',
  phone: 'Phone',
  client_code: 'Client code',
};

/** The label of a column in the file. An empty name means the whole row. */
export function fieldText(field: string): string {
  return field === '' ? 'Row' : (FIELD_LABELS[field as ImportColumn] ?? field);
}

export function formatClientCount(count: number): string {
  return `${count.toLocaleString('en-GB')} ${count === 1 ? 'client' : 'clients'}`;
}

const REFERENCES = ['vrn', 'utr', 'nino', 'company_number', 'paye_reference'] as const;

/** The references in a row, on one line: "VAT number 980780684, UTR 2234567890". */
export function referencesText(values: Readonly<Record<string, string>>): string {
  return REFERENCES.flatMap((field) => (values[field] === undefined ? [] : [`${fieldText(field)} ${values[field]}`])).join(', ');
}

/** All values of a row, in the template's order. */
export function formatRowValues(values: Readonly<Record<string, string>>): string {
  return IMPORT_COLUMNS.flatMap((field) => (values[field] === undefined ? [] : [`${fieldText(field)} ${values[field]}`])).join(', ');
}

/** What a match is based on: "Matched on VAT number and company number". */
export function matchText(matchedBy: readonly MatchedBy[]): string {
  return `Matched on ${new Intl.ListFormat('en-GB').format(matchedBy.map((field) => REFERENCE_NAMES[field]))}`;
}

/** Describes what starting the import would do. */
export function planText({ counts }: Pick<ClientImport, 'counts'>): string {
  const parts = [
    ...(counts.new > 0 ? [`${formatClientCount(counts.new).replace('client', 'new client')} will be added.`] : []),
    ...(counts.matched > 0
      ? [
          `Missing details will be added to ${counts.matched.toLocaleString('en-GB')} existing ${counts.matched === 1 ? 'client' : 'clients'}. Nothing is overwritten.`,
        ]
      : []),
  ];
  const unfixed =
    counts.needs_fixing === 0
      ? []
      : [
          `${counts.needs_fixing.toLocaleString('en-GB')} of them ${counts.needs_fixing === 1 ? 'has a detail' : 'have details'} we couldn’t read, and will be imported without.`,
        ];
  const left = counts.ambiguous + counts.invalid + counts.duplicate + counts.skipped;
  const rest =
    left === 0 ? [] : [`${left.toLocaleString('en-GB')} ${left === 1 ? 'row' : 'rows'} won’t be imported. The reasons are below.`];
  return parts.length === 0 ? 'No rows can be imported. The reasons are below.' : [...parts, ...unfixed, ...rest].join(' ');
}

/** Describes what the import did. */
export function doneText({ applied }: Pick<ClientImport, 'applied'>): string {
  const parts = [
    ...(applied.new > 0 ? [`${formatClientCount(applied.new)} added`] : []),
    ...(applied.matched > 0 ? [`${formatClientCount(applied.matched)} updated`] : []),
  ];
  return parts.length === 0 ? 'No clients added or updated.' : `${parts.join(', ')}.`;
}

/** Describes what undoing the import did. */
export function undoneText({ undone }: Pick<ClientImport, 'undone'>): string {
  const parts = [
    `${formatClientCount(undone.removed)} removed`,
    ...(undone.restored > 0 ? [`${formatClientCount(undone.restored)} restored`] : []),
    ...(undone.kept > 0 ? [`${formatClientCount(undone.kept)} kept, because they’ve been used since`] : []),
  ];
  return `${parts.join(', ')}.`;
}

/** The progress of a refresh that started after the upload, or its result. Undefined if there was none. */
export function refreshText(refreshing: Refreshing | undefined, uploadedAt: Instant): string | undefined {
  const run = refreshing?.run;
  if (!refreshing || !run || run.started_at < uploadedAt) return undefined;
  if (refreshing.sentence !== null) return refreshing.sentence;
  const { done, failed, not_authorised: notAuthorised, total } = run.counts;
  const result = `${TAX_NAMES[refreshing.tax_type]} read from HMRC for ${done.toLocaleString('en-GB')} of ${formatClientCount(total)}`;
  return [
    `${result}.`,
    ...(notAuthorised > 0 ? [`${formatClientCount(notAuthorised)} ${notAuthorised === 1 ? 'hasn’t' : 'haven’t'} authorised you yet.`] : []),
    ...(failed > 0 ? [`The client list shows why ${failed.toLocaleString('en-GB')} failed.`] : []),
  ].join(' ');
}
