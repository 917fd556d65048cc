import { EXPORT_FORMATS, type ClientFilters, type MatchedItems } from '@portal/contract/clients.ts';
import { formatPounds } from '@portal/domain/money.ts';
import clsx from 'clsx';
import { formatClientCount } from '../../lib/client-labels.ts';
import { TAX_NAMES } from '../../lib/tax-names.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './list-bar.module.css';
import { exportHref, type ListParams } from './list-params.ts';

export type ListDialog = 'views' | 'columns' | 'changes';

type ListBarProps = {
  companyId: string;
  address: ListParams;
  count: { readonly count: number; readonly all: number; readonly matched: MatchedItems | null } | undefined;
  isAdmin: boolean;
  onClear: () => void;
  onOpen: (dialog: ListDialog) => void;
};

/** The number of clients, and what can be done with the whole list. */
export function ListBar({ companyId, address, count, isAdmin, onClear, onOpen }: ListBarProps) {
  return (
    <div className={styles.bar}>
      {/* "Clear filters" is beside the count, so that nothing below moves when a filter is chosen. */}
      <div className={styles.count}>
        <Text role="status" weight="medium">
          {count ? formatCount(count) : 'Counting …'}
        </Text>
        {count?.matched && <Text size="small">{formatMatched(count.matched, address.filters)}</Text>}
        {address.filters.tax !== undefined && (
          <Text size="small" tone="quiet">
            Dates and amounts are for {TAX_NAMES[address.filters.tax]} only
          </Text>
        )}
        {Object.keys(address.filters).length > 0 && (
          <Button variant="text" size="small" onClick={onClear}>
            Clear filters
          </Button>
        )}
      </div>
      <Button variant="text" size="small" onClick={() => onOpen('views')} className={styles.tool}>
        Views
      </Button>
      {isAdmin && (
        <Button variant="text" size="small" onClick={() => onOpen('changes')} className={styles.tool}>
          Recent changes
        </Button>
      )}
      <Button variant="text" size="small" onClick={() => onOpen('columns')} className={clsx(styles.tool, styles.wideOnly)}>
        Columns
      </Button>
      {EXPORT_FORMATS.map((format) => (
        <Button
          key={format}
          href={exportHref(companyId, address, format)}
          download
          variant="text"
          size="small"
          aria-label={`Download as ${format.toUpperCase()}`}
          className={styles.tool}
        >
          <Icon name="download" size={18} className={styles.fileIcon} />
          {format.toUpperCase()}
        </Button>
      ))}
    </div>
  );
}

/** What the filter found over all these clients, as the dashboard counts it: "3,951 returns and payments, £1,234.00". */
export function formatMatched({ items, amount_pence: amount }: MatchedItems, { due_before: dueBefore, has }: ClientFilters): string {
  if (dueBefore === undefined && has === 'overdue_return') return formatItems(items ?? 0, 'overdue return', 'overdue returns');
  const money = amount === null ? 'amounts not known yet' : formatPounds(amount);
  if (dueBefore !== undefined) return `${formatItems(items ?? 0, 'return or payment', 'returns and payments')}, ${money}`;
  return `${MATCHED_LABELS[has ?? 'owed']}: ${money}`;
}

const MATCHED_LABELS = {
  owed: 'Owed to HMRC',
  overdue: 'Overdue',
  overdue_return: 'Overdue returns',
  refund: 'Refunds due',
  at_risk: 'Penalties and interest to date',
} as const;

const formatItems = (count: number, one: string, many: string): string => `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`;

/** For example "300 clients" or "12 of 300 clients". */
function formatCount({ count, all }: { count: number; all: number }): string {
  return count === all ? formatClientCount(all) : `${count.toLocaleString('en-GB')} of ${formatClientCount(all)}`;
}
