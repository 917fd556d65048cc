/** Labels and texts for imports, their rows and their fields. */
import { REFERENCE_NAMES, type MatchedBy } from '@portal/domain/client-imports/match-clients.ts';
import type { RowFilter } from '@portal/domain/client-imports/import-states.ts';
import type { StatusChoices } from '@portal/domain/client-imports/client-status-text.ts';
import type { ClientImport, ClientImportRow } from '@portal/contract/client-imports.ts';
import { IMPORT_COLUMNS, type ImportColumn } from '@portal/domain/client-imports/import-columns.ts';
import type { TaxRefreshStatus } from '@portal/contract/sync-status.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { type AgentTax, TAX_NAMES } from '@portal/domain/uk-tax/tax.ts';
import { listProgressParts, type RunPart } from '../../components/practice/run-sentence.tsx';
import type { Role } from '../../core/tokens.ts';
import type { IconName } from '../../ui/icon.tsx';

type OutcomeLabels = { readonly label: string; readonly chip: string; readonly icon: IconName; readonly tone: Role };

/** In the order of the filter chips: rows that need action come first. */
export const FILTER_LABELS: Readonly<Record<RowFilter, OutcomeLabels>> = {
  ambiguous: { label: 'Needs a decision', chip: 'Needs a decision', icon: 'help', tone: 'warning' },
  invalid: { label: 'Can’t be imported', chip: 'Can’t be imported', icon: 'errorCircle', tone: 'error' },
  needs_fixing: { label: 'Needs fixing', chip: 'Needs fixing', icon: 'warning', tone: 'warning' },
  new: { label: 'New', chip: 'New', icon: 'check', tone: 'success' },
  matched: { label: 'Already clients', chip: 'Already a client', icon: 'info', tone: 'info' },
  duplicate: { label: 'Duplicates', chip: 'Duplicate', icon: 'file', tone: 'info' },
  status_differs: { label: 'Different status', chip: 'Different status in the file', icon: 'warning', tone: 'warning' },
  not_client: { label: 'Prospects', chip: 'Prospect, not imported', icon: 'close', tone: 'info' },
  archived: { label: 'Archived', chip: 'Archived', icon: 'info', tone: 'info' },
  skipped: { label: 'Skipped', chip: 'Skipped', icon: 'close', tone: 'info' },
  removed: { label: 'Removed', chip: 'Removed', icon: 'close', tone: 'info' },
  restored: { label: 'Restored', chip: 'Restored', icon: 'check', tone: 'info' },
  kept: { label: 'Kept', chip: 'Kept', icon: 'info', tone: 'warning' },
};

/** The query parameter that filters the rows by outcome. */
export const OUTCOME_PARAM = 'outcome';

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
  status: 'Status',
  vat_group: 'VAT group',
  taxable_turnover: 'Taxable turnover',
  turnover_to: 'Turnover to',
};

/** Returns the label of a column in the file. An empty name means the whole row. */
export function getFieldLabel(field: string): string {
  return field === '' ? 'Row' : (FIELD_LABELS[field as ImportColumn] ?? field);
}

export function formatClientCount(count: number): string {
  return `${count.toLocaleString('en-GB')} ${count === 1 ? 'client' : 'clients'}`;
}

const formatRowCount = (count: number): string => `${count.toLocaleString('en-GB')} ${count === 1 ? 'row' : 'rows'}`;
const REFERENCES = ['vrn', 'utr', 'nino', 'company_number', 'paye_reference'] as const;

/** Lists a row's references on one line: "VAT number 980780684, UTR 2234567890". */
export function formatReferences(values: Readonly<Record<string, string>>): string {
  return REFERENCES.flatMap((field) => (values[field] === undefined ? [] : [`${getFieldLabel(field)} ${values[field]}`])).join(', ');
}

/** Formats all values of a row, in the order of the template. */
export function formatRowValues(values: Readonly<Record<string, string>>): string {
  return IMPORT_COLUMNS.flatMap((field) => (values[field] === undefined ? [] : [`${getFieldLabel(field)} ${values[field]}`])).join(', ');
}

/** Describes what a match is based on: "Matched on VAT number and company number". */
export function describeMatch(matchedBy: readonly MatchedBy[]): string {
  return `Matched on ${new Intl.ListFormat('en-GB').format(matchedBy.map((field) => REFERENCE_NAMES[field]))}`;
}

/** A sentence with a number that links to its rows. */
export type CountSentence = { readonly count: string; readonly outcome: RowFilter; readonly rest: string; readonly before?: string };

function describeProspects(count: number): string {
  return `${count.toLocaleString('en-GB')} ${count === 1 ? 'prospect' : 'prospects'}`;
}

/** A choice about statuses: what would happen at present, and the button that changes it. */
export type StatusChoice = { readonly sentence: CountSentence; readonly button: string; readonly choices: StatusChoices };

/** Describes how prospects, and existing clients whose status differs, would be imported. Empty if the file has neither. */
export function listStatusChoices({
  counts,
  status_choices: now,
}: Pick<ClientImport, 'counts' | 'status_choices'>): readonly StatusChoice[] {
  const { not_client: leftOutCount, status_differs: differingCount } = counts;
  const isSingle = differingCount === 1;
  const prospects: readonly StatusChoice[] =
    now.prospects === 'archive'
      ? [
          {
            sentence: { outcome: 'archived', count: 'Prospects', rest: ' will be imported as archived clients.' },
            button: 'Leave prospects out',
            choices: { ...now, prospects: 'leave_out' },
          },
        ]
      : leftOutCount > 0
        ? [
            {
              sentence: {
                outcome: 'not_client',
                count: describeProspects(leftOutCount),
                rest: ` ${leftOutCount === 1 ? 'isn’t a client and is' : 'aren’t clients and are'} left out.`,
              },
              button: 'Import prospects as archived clients',
              choices: { ...now, prospects: 'archive' },
            },
          ]
        : [];
  if (differingCount === 0) return prospects;
  const count = `${differingCount.toLocaleString('en-GB')} existing ${isSingle ? 'client' : 'clients'}`;
  const existing: StatusChoice =
    now.existing === 'change'
      ? {
          sentence: { outcome: 'status_differs', count, rest: ` will get the status in the file.` },
          button: isSingle ? 'Keep its status' : 'Keep their status',
          choices: { ...now, existing: 'keep' },
        }
      : {
          sentence: {
            outcome: 'status_differs',
            count,
            rest: ` ${isSingle ? 'has' : 'have'} a different status in the file. ${isSingle ? 'Its status here won’t change' : 'Their status here won’t change'}.`,
          },
          button: 'Use the status in the file',
          choices: { ...now, existing: 'change' },
        };
  return [...prospects, existing];
}

const FILE_STATUS_NAMES = { active: 'active', archived: 'archived', prospect: 'a prospect' } as const;

/** Describes the file's status for an existing client, if it differs from the client's own. */
export function describeFileStatus(
  { file_status: status, status_differs: isDifferent, status_changed: changed, applied }: StatusFacts,
  { existing }: StatusChoices,
): string | undefined {
  if (!isDifferent || status === null) return undefined;
  const target = status === 'active' ? 'active' : 'archived';
  if (changed) return `Its status was changed to ${target}, as in the file.`;
  const fileStatusText = `The file says it’s ${FILE_STATUS_NAMES[status]}, but here it’s ${status === 'active' ? 'archived' : 'active'}.`;
  return existing === 'change' && !applied ? `${fileStatusText} It will become ${target}.` : `${fileStatusText} It won’t change.`;
}

type StatusFacts = Pick<ClientImportRow, 'file_status' | 'status_differs' | 'status_changed' | 'applied'>;

/** Describes what starting the import would do. Empty if it would do nothing. */
export function listPlannedSentences({ counts }: Pick<ClientImport, 'counts'>): readonly CountSentence[] {
  const { new: newCount, matched, needs_fixing: unfixedCount, ambiguous, invalid, duplicate, skipped, archived } = counts;
  const allSentences: readonly (CountSentence & { readonly of: number })[] = [
    { of: newCount, outcome: 'new', count: formatClientCount(newCount).replace('client', 'new client'), rest: ' will be added.' },
    {
      of: archived,
      outcome: 'archived',
      count: `${archived.toLocaleString('en-GB')} of them`,
      rest: ' will be archived and won’t be included in totals.',
    },
    {
      of: matched,
      outcome: 'matched',
      before: 'Missing details will be added to ',
      count: `${matched.toLocaleString('en-GB')} existing ${matched === 1 ? 'client' : 'clients'}`,
      rest: '. Nothing is overwritten.',
    },
    {
      of: unfixedCount,
      outcome: 'needs_fixing',
      count: formatClientCount(unfixedCount),
      rest: ` ${unfixedCount === 1 ? 'has details' : 'have details'} we couldn’t read, and will be imported without them.`,
    },
    {
      of: ambiguous,
      outcome: 'ambiguous',
      count: formatRowCount(ambiguous),
      rest: ` ${ambiguous === 1 ? 'needs' : 'need'} your decision.`,
    },
    { of: invalid, outcome: 'invalid', count: formatRowCount(invalid), rest: ' can’t be imported.' },
    {
      of: duplicate,
      outcome: 'duplicate',
      count: formatRowCount(duplicate),
      rest: ` ${duplicate === 1 ? 'repeats a client' : 'repeat clients'} in this file.`,
    },
    { of: skipped, outcome: 'skipped', count: formatRowCount(skipped), rest: ` you skipped won’t be imported.` },
  ];
  return allSentences.flatMap(({ of, ...sentence }) => (of === 0 ? [] : [sentence]));
}

/** Describes what the import did, and what remains to be done. */
export function listDoneSentences({
  state,
  applied,
  counts,
  status_choices: choices,
}: Pick<ClientImport, 'state' | 'applied' | 'counts' | 'status_choices'>): readonly CountSentence[] {
  const { needs_fixing: unfixedCount, ambiguous, invalid, archived, not_client: leftOutCount, status_differs: differingCount } = counts;
  const allSentences: readonly (CountSentence & { readonly of: number })[] = [
    { of: applied.new, outcome: 'new', count: formatClientCount(applied.new), rest: ' added.' },
    { of: archived, outcome: 'archived', count: `${archived.toLocaleString('en-GB')} of them`, rest: ' archived.' },
    { of: applied.matched, outcome: 'matched', count: formatClientCount(applied.matched), rest: ' updated.' },
    ...(state === 'completed'
      ? ([
          {
            of: ambiguous,
            outcome: 'ambiguous',
            count: formatRowCount(ambiguous),
            rest: ` ${ambiguous === 1 ? 'needs' : 'need'} your decision.`,
          },
          {
            of: differingCount,
            outcome: 'status_differs',
            count: `${differingCount.toLocaleString('en-GB')} existing ${differingCount === 1 ? 'client' : 'clients'}`,
            rest:
              choices.existing === 'change'
                ? ` updated to the status in the file.`
                : ` ${differingCount === 1 ? 'keeps its status, which differs' : 'keep their status, which differs'} from the file’s.`,
          },
          {
            of: leftOutCount,
            outcome: 'not_client',
            count: describeProspects(leftOutCount),
            rest: ` left out.`,
          },
          {
            of: invalid,
            outcome: 'invalid',
            count: formatRowCount(invalid),
            rest: ` couldn’t be imported. Correct ${invalid === 1 ? 'it' : 'them'} below, or download ${invalid === 1 ? 'it with the reason' : 'them with the reasons'} and upload the corrected file.`,
          },
          {
            of: unfixedCount,
            outcome: 'needs_fixing',
            count: formatClientCount(unfixedCount),
            rest: ` imported without the details we couldn’t read.`,
          },
        ] as const)
      : []),
  ];
  return allSentences.flatMap(({ of, ...sentence }) => (of === 0 ? [] : [sentence]));
}

/** Describes what undoing the import did. */
export function listUndoneSentences({ undone }: Pick<ClientImport, 'undone'>): readonly CountSentence[] {
  const { removed, restored, kept } = undone;
  const allSentences: readonly (CountSentence & { readonly of: number })[] = [
    { of: removed, outcome: 'removed', count: formatClientCount(removed), rest: ' removed.' },
    { of: restored, outcome: 'restored', count: formatClientCount(restored), rest: ' restored.' },
    {
      of: kept,
      outcome: 'kept',
      count: formatClientCount(kept),
      rest: ` kept, because ${kept === 1 ? 'it has' : 'they’ve'} been used or changed since.`,
    },
  ];
  return allSentences.flatMap(({ of, ...sentence }) => (of === 0 ? [] : [sentence]));
}

/** Describes the progress or result of a refresh that reads the uploaded clients. Returns undefined if there is none. */
export function listRefreshParts(
  refreshStatus: TaxRefreshStatus | undefined,
  tax: AgentTax,
  uploadedAt: Instant,
): readonly RunPart[] | undefined {
  const run = refreshStatus?.run;
  // Clients join a refresh that is already running, so after several uploads, only the first one started a refresh.
  if (!refreshStatus || !run || (run.started_at < uploadedAt && run.ended_at !== null && run.ended_at < uploadedAt)) return undefined;
  if (refreshStatus.is_refreshing) return listProgressParts(tax, run.counts);
  const { done, failed, not_authorised: notAuthorised, total } = run.counts;
  return [
    `${TAX_NAMES[tax]} updated from HMRC for `,
    { text: done.toLocaleString('en-GB'), refresh: 'run_done' },
    ' of ',
    { text: formatClientCount(total), refresh: 'run' },
    '.',
    ...(notAuthorised > 0
      ? ([
          ' ',
          { text: formatClientCount(notAuthorised), refresh: 'run_not_authorised' },
          ` ${notAuthorised === 1 ? 'hasn’t' : 'haven’t'} authorised you yet.`,
        ] as const)
      : []),
    ...(failed > 0 ? ([' ', { text: formatClientCount(failed), refresh: 'run_failed' }, ' couldn’t be updated.'] as const) : []),
  ];
}
