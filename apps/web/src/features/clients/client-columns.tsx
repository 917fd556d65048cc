/** The columns of the client list, in order. */
import type { ClientRow } from '@portal/contract/clients.ts';
import { formatPounds } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { formatVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import { Link } from '../../ui/link.tsx';
import { getClientLink, KIND_NAMES, NEED_LABELS, STATUS_NAMES } from '../../lib/client-labels.ts';
import { TAX_NAMES } from '../../lib/tax-names.ts';
import type { DataColumn } from '../../ui/data-column.ts';
import { DateText, InstantText } from '../../components/formats/date-text.tsx';
import { MoneyText } from '../../components/formats/money-text.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import styles from './client-columns.module.css';

export type ClientColumnId =
  | 'name'
  | 'next_due'
  | 'attention'
  | 'owed'
  | 'overdue'
  | 'refund'
  | 'taxes'
  | 'status'
  | 'members'
  | 'vrn'
  | 'kind'
  | 'utr'
  | 'company_number'
  | 'as_of';

export type ClientColumn = DataColumn<ClientRow> & { readonly id: ClientColumnId };

const NOTHING = <span className={styles.empty}>–</span>;

export function clientColumns(companyId: string, today: PlainDate): readonly ClientColumn[] {
  return [
    { id: 'name', title: 'Client', width: 250, sort: 'name', cell: (row) => <ClientName row={row} companyId={companyId} /> },
    { id: 'next_due', title: 'Next due', width: 300, sort: 'next_due', cell: (row) => <NextDue row={row} today={today} /> },
    {
      id: 'attention',
      title: 'Needs attention',
      width: 230,
      cell: (row) => (row.attention === 'none' ? NOTHING : <StateChip {...NEED_LABELS[row.attention]} />),
    },
    { id: 'owed', title: 'Owed to HMRC', width: 130, align: 'right', sort: 'owed', cell: (row) => money(row.owed_pence) },
    { id: 'overdue', title: 'Overdue', width: 120, align: 'right', sort: 'overdue', cell: (row) => money(row.overdue_pence) },
    { id: 'refund', title: 'Refund due', width: 130, align: 'right', sort: 'refund', cell: (row) => money(row.refund_pence) },
    { id: 'taxes', title: 'Taxes', width: 145, cell: (row) => row.taxes.map((tax) => tax.toUpperCase()).join(', ') || NOTHING },
    { id: 'status', title: 'Status', width: 100, cell: (row) => STATUS_NAMES[row.status] },
    { id: 'members', title: 'Owner', width: 180, cell: (row) => <Clipped text={membersText(row)} /> },
    { id: 'vrn', title: 'VAT number', width: 140, cell: (row) => (row.vrn === null ? NOTHING : formatVrn(row.vrn)) },
    { id: 'kind', title: 'Client type', width: 120, cell: (row) => KIND_NAMES[row.kind] },
    { id: 'utr', title: 'UTR', width: 130, cell: (row) => row.utr ?? NOTHING },
    { id: 'company_number', title: 'Company number', width: 150, cell: (row) => row.company_number ?? NOTHING },
    {
      id: 'as_of',
      title: 'Last updated',
      width: 200,
      cell: (row) => (row.as_of === null ? 'Not updated yet' : <InstantText at={row.as_of} />),
    },
  ];
}

export function membersText(row: ClientRow): string {
  return [...new Set(row.members.map((member) => member.full_name))].join(', ') || 'Unassigned';
}

export function ClientName({ row, companyId }: { row: ClientRow; companyId: string }) {
  const to = getClientLink(companyId, row.client_id);
  return to === undefined ? (
    <Clipped text={row.name} />
  ) : (
    <Link to={to} title={row.name} className={styles.name}>
      {row.name}
    </Link>
  );
}

/** For example "7 Dec 2026, CT payment £1,234.00". Past dates are marked as late. */
export function NextDue({ row, today }: { row: ClientRow; today: PlainDate }) {
  if (row.next_due_on === null || row.next_due_tax === null) return NOTHING;
  const what = row.next_due_what ?? '';
  const amount = row.next_due_pence === null || row.next_due_what !== 'payment' ? '' : ` ${formatPounds(row.next_due_pence)}`;
  return (
    <span className={styles.clipped} title={`${TAX_NAMES[row.next_due_tax]} ${what}${amount}`}>
      {row.next_due_on < today && <span className={styles.late}>{'Late: '}</span>}
      <DateText date={row.next_due_on} style="short" />
      <span className={styles.quiet}>{`, ${row.next_due_tax.toUpperCase()} ${what}${amount}`}</span>
    </span>
  );
}

function Clipped({ text }: { text: string }) {
  return (
    <span title={text} className={styles.clipped}>
      {text}
    </span>
  );
}

/** Shows zero as a dash, so that amounts stand out. */
function money(amount: ClientRow['owed_pence']) {
  return amount === 0 ? NOTHING : <MoneyText pence={amount} size="table" />;
}
