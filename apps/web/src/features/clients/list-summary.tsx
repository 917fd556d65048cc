/** Totals for all clients that match the filters, and what the rows' dates and amounts cover. */
import type { ClientFilters } from '@portal/contract/client-filters.ts';
import { listMatched, type MatchedItems } from '@portal/contract/figures.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate, parsePlainDate } from '@portal/domain/plain-date.ts';
import { formatDueItems } from '../../lib/client-labels.ts';
import { TAX_NAMES } from '@portal/domain/uk-tax/tax.ts';
import { Row } from '../../ui/layout.tsx';
import { Text } from '../../ui/text.tsx';
import { formatMonth } from './matched-items.tsx';
import styles from './list-summary.module.css';

type MatchedSum = Omit<MatchedItems, 'further'>;

type ListSummaryProps = {
  /** Undefined while they are being counted. */
  counts: { count: number; matched: MatchedItems | null } | undefined;
  filters: ClientFilters;
};

export function ListSummary({ counts, filters }: ListSummaryProps) {
  const matchedCounts = counts?.matched ?? null;
  // The list says that no clients match. Sums of nothing would look like unknown amounts.
  if (counts?.count === 0 || (matchedCounts === null && filters.tax === undefined)) return null;
  const sums = listMatched<MatchedSum>(matchedCounts);
  const hasSeveral = sums.length > 1;
  return (
    <Row gap={16} className={styles.summary}>
      {sums.map((sum) => (
        <Text key={sum.filter} size="small" weight="medium">
          {hasSeveral && formatPeriod(sum, filters)}
          {formatMatchedSum(sum, filters)}
        </Text>
      ))}
      {hasSeveral && (
        <Text size="small" tone="quiet">
          These clients match every filter. Each sum counts one filter.
        </Text>
      )}
      {filters.tax !== undefined && (
        <Text size="small" tone="quiet">
          Dates and amounts are for {TAX_NAMES[filters.tax]} only
        </Text>
      )}
    </Row>
  );
}

/**
 * Describes what the filter found over all these clients, counted as on the dashboard: "3,951 returns, quarterly updates and payments, at
 * least £1,234.00".
 */
export function formatMatchedSum(
  { filter, items, amount_pence: amount, is_partial: isPartial }: MatchedSum,
  { has, tax }: ClientFilters,
): string {
  const knownText = amount === null ? undefined : `${isPartial ? 'at least ' : ''}${formatPounds(amount)}`;
  const money = knownText ?? 'amounts not known yet';
  if (filter === 'due_before') return `${formatDueItems(items ?? 0, tax ?? 'all')}, ${money}`;
  if (filter === 'pay_in')
    return `${formatItems(items ?? 0, 'payment', 'payments')}, ${knownText === undefined ? money : `${knownText} to pay`}`;
  if (filter === 'refund_in')
    return `${formatItems(items ?? 0, 'refund', 'refunds')}, ${knownText === undefined ? money : `${knownText} due`}`;
  const count = isPartial ? 'At least ' : '';
  if (has === 'overdue_return') return `${count}${formatItems(items ?? 0, 'overdue return', 'overdue returns')}`;
  if (has === 'overdue_update') return `${count}${formatItems(items ?? 0, 'overdue quarterly update', 'overdue quarterly updates')}`;
  if (has === 'overdue_any')
    return `${count}${formatItems(items ?? 0, 'overdue return or quarterly update', 'overdue returns and quarterly updates')}, overdue payments: ${knownText ?? 'not known yet'}`;
  return `${MATCHED_LABELS[has ?? 'owed']}: ${money}`;
}

/** For example "By 17 Nov 2026: " or "Nov 2026: ". */
function formatPeriod({ filter }: MatchedSum, filters: ClientFilters): string {
  const day = filter === 'has' ? undefined : parsePlainDate(filters[filter] ?? '');
  if (day === undefined) return '';
  return filter === 'due_before' ? `By ${formatDate(day, 'short')}: ` : `${formatMonth(day)}: `;
}

const MATCHED_LABELS = {
  owed: 'Owed to HMRC',
  overdue: 'Overdue',
  overdue_return: 'Overdue returns',
  overdue_update: 'Overdue quarterly updates',
  overdue_any: 'Overdue',
  refund: 'Refunds due',
  at_risk: 'Penalties and interest not charged yet',
} as const;

const formatItems = (count: number, singular: string, plural: string): string =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? singular : plural}`;
