/** The filters beside the views, the number of matches, and a button that clears the filters. */
import type { deskApi } from '@portal/contract/desk.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { Button } from '../../ui/button.tsx';
import { FilterPill } from '../../ui/filter-pill.tsx';
import { Row } from '../../ui/layout.tsx';
import { Text } from '../../ui/text.tsx';
import type { DeskFilters } from './desk-params.ts';
import styles from './desk-filter-bar.module.css';
import { useOperators } from './use-desk.ts';

type DeskFilterBarProps = {
  filters: DeskFilters;
  summary: EndpointOutput<typeof deskApi.summary> | undefined;
  onChange: (changes: Readonly<Record<string, string | undefined>>) => void;
  onClear: () => void;
};

const QUEUE_OPTIONS = [
  { value: 'review', label: 'To review' },
  { value: 'release', label: 'To release' },
  { value: 'exceptions', label: 'Exceptions' },
  { value: 'in_progress', label: 'In progress' },
  { value: 'ended', label: 'Closed' },
  { value: 'all', label: 'All' },
];
const AMOUNTS = ['10000', '25000', '50000', '100000'].map((pounds) => ({
  value: `${pounds}00`,
  label: `Over £${Number(pounds).toLocaleString('en-GB')}`,
}));
const DUE = ['1', '2', '6', '24'].map((hours) => ({ value: hours, label: `Within ${hours} ${hours === '1' ? 'hour' : 'hours'}` }));
const TRADER_OPTIONS = [
  { value: 'new', label: 'New' },
  { value: 'known', label: 'Paid before' },
];

const toText = (value: unknown): string | undefined => (typeof value === 'string' || typeof value === 'number' ? `${value}` : undefined);

export function DeskFilterBar({ filters, summary, onChange, onClear }: DeskFilterBarProps) {
  const operators = useOperators();
  const operatorOptions = [
    { value: 'me', label: 'Me' },
    { value: 'nobody', label: 'Unassigned' },
    ...operators.filter(({ is_you }) => !is_you).map(({ user_id, name }) => ({ value: user_id, label: name })),
  ];
  return (
    <div className={styles.bar}>
      <Row gap={8}>
        <FilterPill
          label="Queue"
          unsetLabel="Queue: needs action"
          value={filters.queue}
          options={QUEUE_OPTIONS}
          onSelect={(queue) => onChange({ queue })}
        />
        <FilterPill
          label="Due"
          value={toText(filters.due_within_hours)}
          options={DUE}
          onSelect={(due_within_hours) => onChange({ due_within_hours })}
        />
        <FilterPill
          label="Refund"
          value={toText(filters.above_pence)}
          options={AMOUNTS}
          onSelect={(above_pence) => onChange({ above_pence })}
        />
        <FilterPill label="Trader" value={filters.trader} options={TRADER_OPTIONS} onSelect={(trader) => onChange({ trader })} />
        <FilterPill label="Owner" value={filters.assigned} options={operatorOptions} onSelect={(assigned) => onChange({ assigned })} />
        <FilterPill
          label="Promise"
          value={filters.promise}
          options={[{ value: 'late', label: 'Promise not kept' }]}
          onSelect={(promise) => onChange({ promise })}
        />
        {Object.keys(filters).length > 0 && (
          <Button size="small" variant="text" onClick={onClear}>
            Clear
          </Button>
        )}
      </Row>
      <Text size="small" tone="quiet" role="status" className={styles.count}>
        {summary && (
          <>
            <strong>{summary.matched.toLocaleString('en-GB')}</strong> {summary.matched === 1 ? 'advance' : 'advances'} ·{' '}
            {formatPounds(summary.matched_refund_pence)} in refunds
          </>
        )}
      </Text>
    </div>
  );
}
