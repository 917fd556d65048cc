/** A client's items that the list's filter counted, so that the rows add up to the sum above the list. */
import type { ClientFilters } from '@portal/contract/client-filters.ts';
import type { ClientRow } from '@portal/contract/clients.ts';
import type { ClientMatchedItems } from '@portal/contract/figures.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { getItemName } from '@portal/domain/positions/item-names.ts';
import { DateText } from '../../components/formats/date-text.tsx';
import { MoneyText } from '../../components/formats/money-text.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import styles from './client-columns.module.css';

type Item = ClientMatchedItems['due'][number];

/** Returns whether the list is filtered by date. Its rows then show what the filter counted instead of the client's next item. */
export function isFilteredByDate({ due_before: dueBefore, pay_in: payIn, refund_in: refundIn }: ClientFilters): boolean {
  return dueBefore !== undefined || payIn !== undefined || refundIn !== undefined;
}

const listItems = (row: ClientRow): readonly Item[] => row.matched?.due ?? [];

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
  const text = names.size === 1 ? `${items.length} × ${getItemText(first)}` : `${items.length} items`;
  return (
    <>
      <span aria-hidden className={styles.clipped} title={items.map(describeItem).join('\n')}>
        {text}
      </span>
      <HiddenText>{items.map(describeItem).join('; ')}</HiddenText>
    </>
  );
}

/** The sum of the counted amounts; "at least" if any of them is unknown. */
export function MatchedAmount({ row }: { row: ClientRow }) {
  const amount = row.matched?.amount_pence ?? null;
  const hasUnknown = listItems(row).some((item) => isPayment(item) && item.amount_pence === null);
  if (amount === null) return <span className={styles.empty}>{hasUnknown ? 'Not known' : '–'}</span>;
  if (!hasUnknown) return <MoneyText pence={amount} size="table" />;
  return <span>At least {formatPounds(amount)}</span>;
}

/** Each counted item on its own line of a card. */
export function MatchedLines({ row, today }: { row: ClientRow; today: PlainDate }) {
  return (
    <ul className={styles.matched}>
      {listItems(row).map((item, place) => (
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

/** Returns the column, with its text on a card, for a filter whose figure isn't in any other column. */
export function getMatchedColumn({ has }: ClientFilters): { readonly title: string; readonly isAmount: boolean } | undefined {
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
