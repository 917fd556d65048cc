/** The columns of the desk, in order. */
import type { DeskRow } from '@portal/contract/desk.ts';
import { toLondonDate, toEpochMs, type Instant } from '@portal/domain/clock.ts';
import { formatDate } from '@portal/domain/plain-date.ts';

import { MoneyText } from '../../components/formats/money-text.tsx';
import { getInitials } from '../../lib/initials.ts';
import { getPageLink } from '../../lib/page-link.ts';
import type { DataColumn } from '../../ui/data-column.ts';
import { Link } from '../../ui/link.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { describePromise, formatDuration, STEP_CHIPS } from './desk-labels.ts';
import styles from './desk-columns.module.css';

export type DeskColumn = DataColumn<DeskRow>;

/** Most important first. The last columns are hidden when the window is too narrow. */
export const DESK_COLUMN_ORDER = [
  'company',
  'step',
  'promise',
  'refund',
  'owner',
  'payout',
  'since',
  'releases',
  'period',
  'outstanding',
] as const;

export const NARROW_COLUMN_ORDER = ['company', 'promise'] as const;

const NOTHING = <span className={styles.empty}>–</span>;

/** `isNarrow`: on a phone, the company and promise columns are narrower so that both fit, since the promise matters most. */
export function listDeskColumns(now: Instant, isNarrow: boolean): readonly DeskColumn[] {
  return [
    { id: 'company', title: 'Company', width: isNarrow ? 160 : 236, sort: 'company', cell: (row) => <Company row={row} /> },
    { id: 'step', title: 'Next step', width: 172, cell: (row) => <StateChip {...STEP_CHIPS[row.step]} /> },
    { id: 'promise', title: 'Promise', width: isNarrow ? 122 : 138, sort: 'due', cell: (row) => <PromiseCell row={row} now={now} /> },
    {
      id: 'refund',
      title: 'Refund',
      width: 112,
      align: 'right',
      sort: 'refund',
      cell: (row) => <MoneyText pence={row.refund_pence} size="table" />,
    },
    { id: 'payout', title: 'Payout', width: 112, align: 'right', cell: (row) => <MoneyText pence={row.net_pence} size="table" /> },
    {
      id: 'outstanding',
      title: 'Outstanding',
      width: 116,
      align: 'right',
      cell: (row) => (row.outstanding_pence === 0 ? NOTHING : <MoneyText pence={row.outstanding_pence} size="table" />),
    },
    {
      id: 'releases',
      title: 'Releases',
      width: 84,
      cell: (row) => (row.releases_needed === 0 ? NOTHING : `${row.releases} of ${row.releases_needed}`),
    },
    { id: 'period', title: 'Period to', width: 108, cell: (row) => formatDate(row.period_end, 'short') },
    { id: 'since', title: 'Waiting', width: 96, sort: 'since', cell: (row) => <WaitingTime row={row} now={now} /> },
    { id: 'owner', title: 'Owner', width: 132, cell: (row) => <Owner row={row} /> },
  ];
}

function Company({ row }: { row: DeskRow }) {
  return (
    <>
      <Link
        to={getPageLink('adminAdvance', { company_id: row.company_id, advance_id: row.advance_id })}
        className={styles.company}
        data-advance={row.advance_id}
        title={row.company_name}
      >
        {row.company_name}
      </Link>
      {row.is_new_trader && row.paid_at === null && <span className={styles.tag}>New</span>}
      {row.notes > 0 && (
        <span className={styles.tag} title={`${row.notes} ${row.notes === 1 ? 'note' : 'notes'}`}>
          {row.notes} {row.notes === 1 ? 'note' : 'notes'}
        </span>
      )}
    </>
  );
}

function PromiseCell({ row, now }: { row: DeskRow; now: Instant }) {
  const promise = describePromise(row, now);
  if (!promise) return NOTHING;
  return <span className={styles[promise.tone]}>{promise.text}</span>;
}

function WaitingTime({ row, now }: { row: DeskRow; now: Instant }) {
  return <span title={formatDate(toLondonDate(row.since))}>{formatDuration(toEpochMs(now) - toEpochMs(row.since))}</span>;
}

function Owner({ row }: { row: DeskRow }) {
  const { assigned_to: owner } = row;
  if (!owner) return NOTHING;
  return (
    <span className={styles.owner}>
      <span aria-hidden className={styles.avatar}>
        {getInitials(owner.name)}
      </span>
      <span className={styles.ownerName}>{owner.name}</span>
    </span>
  );
}
