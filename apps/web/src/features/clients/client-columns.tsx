/** The columns of the client list, in order. */
import type { ClientRow } from '@portal/contract/clients.ts';
import { formatPounds } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import { formatVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import { Link } from 'react-router';
import { figuresText, KnownAmount, NeedChip, nothingDueText } from '../../components/practice/figures-label.tsx';
import { getClientLink, KIND_NAMES, STATUS_NAMES } from '../../lib/client-labels.ts';
import { TAX_NAMES } from '../../lib/tax-names.ts';
import type { DataColumn } from '../../ui/data-column.ts';
import { DateText } from '../../components/formats/date-text.tsx';
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

/** `tax`: the tax whose figures the rows show; undefined for all taxes. */
export function clientColumns(companyId: string, today: PlainDate, tax: Tax | undefined): readonly ClientColumn[] {
  const ofTax = (row: ClientRow): ClientRow => (tax === undefined ? row : { ...row, taxes: [tax] });
  return [
    { id: 'name', title: 'Client', width: 250, sort: 'name', cell: (row) => <ClientName row={row} companyId={companyId} /> },
    { id: 'next_due', title: 'Next due', width: 300, sort: 'next_due', cell: (row) => <NextDue row={row} today={today} /> },
    {
      id: 'attention',
      title: 'Needs attention',
      width: 230,
      cell: (row) =>
        row.attention === 'none' && row.figures_state === 'current' ? (
          NOTHING
        ) : (
          <NeedChip figures={ofTax(row)} attention={row.attention} today={today} />
        ),
    },
    {
      id: 'owed',
      title: 'Owed to HMRC',
      width: 130,
      align: 'right',
      sort: 'owed',
      cell: (row) => <KnownAmount amount={row.owed_pence} state={row.figures_state} />,
    },
    {
      id: 'overdue',
      title: 'Overdue',
      width: 120,
      align: 'right',
      sort: 'overdue',
      cell: (row) => <KnownAmount amount={row.overdue_pence} state={row.figures_state} />,
    },
    {
      id: 'refund',
      title: 'Refund due',
      width: 130,
      align: 'right',
      sort: 'refund',
      cell: (row) => <KnownAmount amount={row.refund_pence} state={row.figures_state} />,
    },
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
      width: 240,
      cell: (row) => <Clipped text={figuresText(ofTax(row), today)} />,
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
  if (row.next_due_on === null || row.next_due_tax === null)
    return <span className={styles.quiet}>{nothingDueText(row.figures_state)}</span>;
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
