import { EXPORT_FORMATS } from '@portal/contract/clients.ts';
import clsx from 'clsx';
import { formatClientCount } from '../../lib/client-labels.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './list-bar.module.css';
import { exportHref, type ListParams } from './list-params.ts';

export type ListDialog = 'views' | 'columns' | 'changes';

type ListBarProps = {
  companyId: string;
  address: ListParams;
  count: { readonly count: number; readonly all: number } | undefined;
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
        {address.filters.tax !== undefined && (
          // Without this hint, people who filter by one tax would take the dates and amounts for that tax.
          <Text size="small" tone="quiet">
            Dates and amounts cover all their taxes
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

/** For example "300 clients" or "12 of 300 clients". */
function formatCount({ count, all }: { count: number; all: number }): string {
  return count === all ? formatClientCount(all) : `${count.toLocaleString('en-GB')} of ${formatClientCount(all)}`;
}
