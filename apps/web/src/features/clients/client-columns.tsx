/** The columns of the client list, in order. */
import type { ClientFilters } from '@portal/contract/client-filters.ts';
import type { ClientRow } from '@portal/contract/clients.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { getItemName } from '@portal/domain/positions/item-names.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { TAX_NAMES } from '@portal/domain/uk-tax/tax.ts';
import { formatVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import clsx from 'clsx';
import { Link } from '../../ui/link.tsx';
import { describeFigureState, describeNothingDue, KnownAmount, NeedChip } from '../../components/practice/figures-label.tsx';
import { getClientLink, KIND_NAMES, STATUS_NAMES } from '../../lib/client-labels.ts';
import type { DataColumn } from '../../ui/data-column.ts';
import { DateText } from '../../components/formats/date-text.tsx';
import { MoneyText } from '../../components/formats/money-text.tsx';
import styles from './client-columns.module.css';
import { isFilteredByDate, listMatchedColumns, MatchedAmount, MatchedDate, MatchedWhat, type MatchedColumn } from './matched-items.tsx';

export type ClientColumnId =
  | 'name'
  | 'next_due'
  | 'what'
  | 'amount'
  | MatchedColumn['id']
  | 'attention'
  | 'owed'
  | 'overdue'
  | 'refund'
  | 'taxes'
  | 'status'
  | 'members'
  | 'client_code'
  | 'vrn'
  | 'kind'
  | 'utr'
  | 'company_number'
  | 'as_of';

export type ClientColumn = DataColumn<ClientRow> & { readonly id: ClientColumnId };

/** The columns shown by default, most important first. If the window is too narrow, the last ones are hidden. */
export const DEFAULT_COLUMNS: readonly ClientColumnId[] = [
  'name',
  'next_due',
  'what',
  'amount',
  'matched_pay',
  'matched_refund',
  'matched',
  'overdue',
  'attention',
  'owed',
  'refund',
  'members',
  'taxes',
];

const NOTHING = <span className={styles.empty}>–</span>;

/**
 * The columns for the list's filters: amounts are for the filtered tax, and with a date filter, dates are those that the filter found. All
 * default columns together are at most 1,334 px wide: a window of 1,440 px minus its scroll bar, the page's padding and the checkboxes.
 */
export function listClientColumns(companyId: string, today: PlainDate, filters: ClientFilters): readonly ClientColumn[] {
  const { tax } = filters;
  const limitToTax = (row: ClientRow): ClientRow => (tax === undefined ? row : { ...row, taxes: [tax] });
  return [
    { id: 'name', title: 'Client', width: 168, sort: 'name', cell: (row) => <ClientName row={row} companyId={companyId} /> },
    ...(isFilteredByDate(filters) ? createMatchedColumns(today, filters) : createNextDueColumns(today)),
    ...listMatchedColumns(filters).map(({ id, title, render }): ClientColumn => ({ id, title, width: 164, align: 'right', cell: render })),
    {
      id: 'attention',
      title: 'Needs attention',
      width: 178,
      cell: (row) =>
        row.attention === 'none' && row.figures_state === 'current' ? (
          NOTHING
        ) : (
          <NeedChip figures={limitToTax(row)} attention={row.attention} today={today} isShort />
        ),
    },
    {
      id: 'owed',
      title: 'Owed to HMRC',
      width: 146,
      align: 'right',
      sort: 'owed',
      cell: (row) => <KnownAmount amount={row.owed_pence} state={row.figures_state} />,
    },
    {
      id: 'overdue',
      title: 'Overdue',
      width: 146,
      align: 'right',
      sort: 'overdue',
      cell: (row) => <KnownAmount amount={row.overdue_pence} state={row.figures_state} />,
    },
    {
      id: 'refund',
      title: 'Refund due',
      width: 146,
      align: 'right',
      sort: 'refund',
      cell: (row) => <KnownAmount amount={row.refund_pence} state={row.figures_state} />,
    },
    { id: 'taxes', title: 'Taxes', width: 108, cell: (row) => <ClippedText text={formatTaxes(row)} /> },
    { id: 'status', title: 'Status', width: 72, cell: (row) => STATUS_NAMES[row.status] },
    { id: 'members', title: 'Owner', width: 96, cell: (row) => <ClippedText text={formatMembers(row)} /> },
    {
      id: 'client_code',
      title: 'Client code',
      width: 108,
      cell: (row) => (row.client_code === null ? NOTHING : <ClippedText text={row.client_code} />),
    },
    { id: 'vrn', title: 'VAT number', width: 120, cell: (row) => (row.vrn === null ? NOTHING : formatVrn(row.vrn)) },
    { id: 'kind', title: 'Client type', width: 110, cell: (row) => KIND_NAMES[row.kind] },
    { id: 'utr', title: 'UTR', width: 110, cell: (row) => row.utr ?? NOTHING },
    { id: 'company_number', title: 'Company number', width: 136, cell: (row) => row.company_number ?? NOTHING },
    {
      id: 'as_of',
      title: 'Last updated',
      width: 240,
      cell: (row) => <ClippedText text={describeFigureState(limitToTax(row), today)} />,
    },
  ];
}

function createNextDueColumns(today: PlainDate): readonly ClientColumn[] {
  return [
    { id: 'next_due', title: 'Next due', width: 128, sort: 'next_due', cell: (row) => <NextDueDate row={row} today={today} /> },
    { id: 'what', title: 'What', width: 118, cell: (row) => <NextDueWhat row={row} /> },
    { id: 'amount', title: 'Amount', width: 98, align: 'right', cell: renderNextDueAmount },
  ];
}

/** The date and amount that matched the first filter by date. */
function createMatchedColumns(today: PlainDate, { due_before: dueBefore, pay_in: payIn }: ClientFilters): readonly ClientColumn[] {
  const title = dueBefore === undefined && payIn === undefined ? 'Expected' : 'Due';
  return [
    { id: 'next_due', title, width: 128, sort: 'next_due', cell: (row) => <MatchedDate row={row} today={today} /> },
    { id: 'what', title: 'What', width: 118, cell: (row) => <MatchedWhat row={row} /> },
    { id: 'amount', title: 'Amount', width: 146, align: 'right', cell: (row) => <MatchedAmount row={row} /> },
  ];
}

const formatTaxes = (row: ClientRow): string => row.taxes.map((tax) => tax.toUpperCase()).join(', ') || '–';

export function formatMembers(row: ClientRow): string {
  return [...new Set(row.members.map((member) => member.full_name))].join(', ') || 'Unassigned';
}

export function ClientName({ row, companyId }: { row: ClientRow; companyId: string }) {
  const to = getClientLink(companyId, row.client_id);
  return to === undefined ? (
    <span title={row.name} className={styles.twoLines}>
      {row.name}
    </span>
  ) : (
    <Link to={to} title={row.name} className={clsx(styles.twoLines, styles.name)}>
      {row.name}
    </Link>
  );
}

/** Shows, for example, "7 Dec 2026". Past dates are marked as late. */
function NextDueDate({ row, today }: { row: ClientRow; today: PlainDate }) {
  if (row.next_due_on === null) return <span className={styles.quiet}>{describeNothingDue(row.figures_state)}</span>;
  if (row.next_due_on >= today) return <DateText date={row.next_due_on} style="short" />;
  return (
    <span className={styles.late}>
      <DateText date={row.next_due_on} style="short" /> late
    </span>
  );
}

/** Shows, for example, "CT payment". */
function NextDueWhat({ row }: { row: ClientRow }) {
  if (row.next_due_tax === null || row.next_due_what === null) return NOTHING;
  return (
    <span title={`${TAX_NAMES[row.next_due_tax]} ${getItemName(row.next_due_what)}`} className={styles.clipped}>
      {`${row.next_due_tax.toUpperCase()} ${getItemName(row.next_due_what)}`}
    </span>
  );
}

/** The amount due at the next due date. Empty for a return. */
function renderNextDueAmount(row: ClientRow) {
  return row.next_due_pence === null || row.next_due_what === 'return' ? NOTHING : <MoneyText pence={row.next_due_pence} size="table" />;
}

/** A card's next due date, item and amount on a single line: "7 Dec 2026, CT payment £1,234.00". */
export function NextDue({ row, today }: { row: ClientRow; today: PlainDate }) {
  if (row.next_due_on === null || row.next_due_tax === null)
    return <span className={styles.quiet}>{describeNothingDue(row.figures_state)}</span>;
  const amount = row.next_due_pence === null || row.next_due_what === 'return' ? '' : ` ${formatPounds(row.next_due_pence)}`;
  return (
    <span>
      <NextDueDate row={row} today={today} />
      <span
        className={styles.quiet}
      >{`, ${row.next_due_tax.toUpperCase()} ${row.next_due_what === null ? '' : getItemName(row.next_due_what)}${amount}`}</span>
    </span>
  );
}

function ClippedText({ text }: { text: string }) {
  return (
    <span title={text} className={styles.clipped}>
      {text}
    </span>
  );
}
