/** A client's items that the list's filter counted, so that the rows add up to the sum above the list. */
import type { ClientFilters } from '@portal/contract/client-filters.ts';
import type { ClientRow } from '@portal/contract/clients.ts';
import { listMatched, MATCHED_FILTERS, type ClientMatchedItems, type MatchedFilter } from '@portal/contract/figures.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate, parsePlainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { getItemName } from '@portal/domain/positions/item-names.ts';
import type { ReactNode } from 'react';
import { DateText } from '../../components/formats/date-text.tsx';
import { MoneyText } from '../../components/formats/money-text.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import styles from './client-columns.module.css';

type FilterMatch = ClientMatchedItems['further'][number];
type Item = FilterMatch['due'][number];

/** Returns whether the list is filtered by date. Its rows then show what the filter counted instead of the client's next item. */
export function isFilteredByDate({ due_before: dueBefore, pay_in: payIn, refund_in: refundIn }: ClientFilters): boolean {
  return dueBefore !== undefined || payIn !== undefined || refundIn !== undefined;
}

const listItems = (row: ClientRow): readonly Item[] => row.matched?.due ?? [];

const findFilterMatch = (row: ClientRow, filter: MatchedFilter): FilterMatch | undefined =>
  listMatched<FilterMatch>(row.matched).find((found) => found.filter === filter);

/** Returns, for example, "VAT payment". */
const getItemText = ({ tax, kind }: Item): string => `${tax.toUpperCase()} ${getItemName(kind)}`;

/** Returns, for example, "13 November 2026: VAT payment £40.00". */
function describeItem(item: Item): string {
  const amount = item.amount_pence === null ? (isPayment(item) ? ', amount not known' : '') : ` ${formatPounds(item.amount_pence)}`;
  return `${formatDate(item.due_on)}: ${getItemText(item)}${amount}`;
}

const isPayment = ({ kind }: Item): boolean => kind !== 'return' && kind !== 'quarterly_update' && kind !== 'final_declaration';

/** The date of the first counted item. Past dates are marked as late, except those of refunds. */
export function MatchedDate({ row, today }: { row: ClientRow; today: PlainDate }) {
  const [first] = listItems(row);
  if (first === undefined) return null;
  if (first.due_on >= today || first.kind === 'refund') return <DateText date={first.due_on} style="short" />;
  return (
    <span className={styles.late}>
      <DateText date={first.due_on} style="short" /> late
    </span>
  );
}

/** Shows, for example, "VAT payment" or "3 items", and lists each item on hover and for screen readers. */
export function MatchedWhat({ row }: { row: ClientRow }) {
  const items = listItems(row);
  const [first] = items;
  if (first === undefined) return null;
  if (items.length === 1) return <ClippedText title={describeItem(first)} text={getItemText(first)} />;
  const names = new Set(items.map(getItemText));
  const itemsText = names.size === 1 ? `${items.length} × ${getItemText(first)}` : `${items.length} items`;
  return (
    <>
      <span aria-hidden className={styles.clipped} title={items.map(describeItem).join('\n')}>
        {itemsText}
      </span>
      <HiddenText>{items.map(describeItem).join('; ')}</HiddenText>
    </>
  );
}

/** The sum of the amounts that the first filter counted; "at least" while one of them isn't known. */
export function MatchedAmount({ row }: { row: ClientRow }) {
  return <FoundAmount found={row.matched ?? undefined} />;
}

function FoundAmount({ found }: { found: FilterMatch | undefined }) {
  const amount = found?.amount_pence ?? null;
  const hasUnknown = found?.due.some((item) => isPayment(item) && item.amount_pence === null) === true;
  if (amount === null) return <span className={styles.empty}>{hasUnknown ? 'Not known' : '–'}</span>;
  if (!hasUnknown) return <MoneyText pence={amount} size="table" />;
  return <span>At least {formatPounds(amount)}</span>;
}

/** On a card, a line for each counted item, also of further filters. */
export function MatchedLines({ row, today }: { row: ClientRow; today: PlainDate }) {
  return (
    <ul className={styles.matched}>
      {listItemsOnce(row).map((item, place) => (
        <li key={place}>
          <span className={item.due_on < today && item.kind !== 'refund' ? styles.late : undefined}>
            <DateText date={item.due_on} style="short" />
          </span>
          <span className={styles.quiet}>{`, ${getItemText(item)}`}</span>
          {item.amount_pence !== null && ` ${formatPounds(item.amount_pence)}`}
        </li>
      ))}
    </ul>
  );
}

/** Two filters can find one item: a payment due this week and in this month. */
function listItemsOnce(row: ClientRow): readonly Item[] {
  const shownItems: Item[] = [];
  for (const { due } of listMatched<FilterMatch>(row.matched)) {
    const earlierItems = new Set(shownItems.map(describeItem));
    shownItems.push(...due.filter((item) => !earlierItems.has(describeItem(item))));
  }
  return shownItems;
}

/** A column for what a filter counted that no other column shows. `text` is for a card, which has a line for each item anyway. */
export type MatchedColumn = {
  readonly id: 'matched' | 'matched_pay' | 'matched_refund';
  readonly title: string;
  readonly render: (row: ClientRow) => ReactNode;
  readonly text?: (row: ClientRow) => string;
};

/** The first filter by date has the columns "Due", "What" and "Amount". */
export function listMatchedColumns(filters: ClientFilters): readonly MatchedColumn[] {
  const [first] = MATCHED_FILTERS.filter((name) => filters[name] !== undefined);
  const furtherColumns = (['pay_in', 'refund_in'] as const).flatMap((filter): MatchedColumn[] => {
    const month = parsePlainDate(filters[filter] ?? '');
    if (month === undefined || filter === first) return [];
    return [
      {
        id: filter === 'pay_in' ? 'matched_pay' : 'matched_refund',
        title: `${filter === 'pay_in' ? 'Payments' : 'Refunds'} in ${formatMonth(month)}`,
        render: (row) => <MonthAmount found={findFilterMatch(row, filter)} />,
      },
    ];
  });
  const amount = getAmountColumn(filters);
  if (amount === undefined) return furtherColumns;
  const text = (row: ClientRow): string => {
    const foundMatch = findFilterMatch(row, 'has');
    if (!amount.isAmount) return (foundMatch?.items ?? 0).toLocaleString('en-GB');
    return foundMatch?.amount_pence ? formatPounds(foundMatch.amount_pence) : '–';
  };
  return [...furtherColumns, { id: 'matched', title: amount.title, render: text, text }];
}

/** For example "Nov 2026". */
export const formatMonth = (day: PlainDate): string => formatDate(day, 'short').split(' ').slice(1).join(' ');

/** The month's sum, with each of its items for the pointer and for screen readers. */
function MonthAmount({ found }: { found: FilterMatch | undefined }) {
  const items = found?.due ?? [];
  return (
    <>
      <span title={items.map(describeItem).join('\n')}>
        <FoundAmount found={found} />
      </span>
      <HiddenText>{`: ${items.map(describeItem).join('; ')}`}</HiddenText>
    </>
  );
}

function getAmountColumn({ has }: ClientFilters): { readonly title: string; readonly isAmount: boolean } | undefined {
  switch (has) {
    case 'at_risk':
      return { title: 'Not charged yet', isAmount: true };
    case 'overdue_return':
      return { title: 'Overdue returns', isAmount: false };
    case 'overdue_update':
      return { title: 'Overdue updates', isAmount: false };
    case 'overdue_any':
      return { title: 'Returns and updates overdue', isAmount: false };
    default:
      return undefined;
  }
}

function ClippedText({ title, text }: { title: string; text: string }) {
  return (
    <span title={title} className={styles.clipped}>
      {text}
    </span>
  );
}
