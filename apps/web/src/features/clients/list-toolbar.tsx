/** The line above the list: views, search, filters, the status of HMRC's figures, and actions. */
import type { PlainDate } from '@portal/domain/plain-date.ts';
import clsx from 'clsx';
import { formatClientCount } from '../../lib/client-labels.ts';
import { Button } from '../../ui/button.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Text } from '../../ui/text.tsx';
import { HmrcStatus } from './hmrc-status.tsx';
import type { ListParams } from './list-params.ts';
import styles from './list-toolbar.module.css';
import { MoreMenu, type ListDialog } from './more-menu.tsx';
import { SearchField } from './search-field.tsx';
import { ClientViews } from './client-views.tsx';

type ListToolbarProps = {
  companyId: string;
  today: PlainDate;
  isAdmin: boolean;
  /** The user's ID, for the "My work" view. Undefined until known. */
  userId: string | undefined;
  mayExport: boolean;
  isTable: boolean;
  address: ListParams;
  search: URLSearchParams;
  count: { readonly count: number; readonly all: number } | undefined;
  filters: { readonly isOpen: boolean; readonly panelId: string; readonly toggle: () => void };
  status: { readonly isOpen: boolean; readonly panelId: string; readonly toggle: () => void };
  onSearch: (q: string) => void;
  onOpen: (dialog: ListDialog | 'add') => void;
};

export function ListToolbar(props: ListToolbarProps) {
  const { companyId, today, isAdmin, userId, mayExport, isTable, address, search, count, filters, status, onSearch, onOpen } = props;
  const filterCount = Object.keys(address.filters).filter((name) => name !== 'q').length;
  return (
    <>
      <div className={styles.views}>
        <ClientViews companyId={companyId} today={today} isAdmin={isAdmin} userId={userId} search={search} />
      </div>
      <Text role="status" size="small" weight="medium" tone="quiet" numeric className={styles.count}>
        {count ? formatCount(count) : 'Counting…'}
      </Text>
      <SearchField text={address.filters.q ?? ''} onSearch={onSearch} />
      <Button
        variant="outlined"
        tone="neutral"
        size="small"
        aria-expanded={filters.isOpen}
        aria-controls={filters.isOpen ? filters.panelId : undefined}
        onClick={filters.toggle}
        className={styles.filters}
      >
        Filters
        {filterCount > 0 && (
          <span className={styles.badge}>
            {filterCount}
            <HiddenText> chosen</HiddenText>
          </span>
        )}
      </Button>
      <div className={styles.hmrc}>
        <HmrcStatus companyId={companyId} isOpen={status.isOpen} panelId={status.panelId} onToggle={status.toggle} />
      </div>
      {isAdmin && (
        <Button size="small" onClick={() => onOpen('add')} className={styles.add}>
          Add a client
        </Button>
      )}
      <div className={isAdmin ? undefined : styles.last}>
        <MoreMenu companyId={companyId} address={address} isAdmin={isAdmin} mayExport={mayExport} isTable={isTable} onOpen={onOpen} />
      </div>
    </>
  );
}

/** Returns, for example, "300 clients" or "12 of 300". */
function formatCount({ count, all }: { count: number; all: number }): string {
  return count === all ? formatClientCount(all) : `${count.toLocaleString('en-GB')} of ${all.toLocaleString('en-GB')}`;
}

/** Placeholder while the list is loading, as high as the toolbar at every width. */
export function ListToolbarSkeleton() {
  return (
    <>
      <div className={clsx(styles.views, styles.line)} />
      <div className={clsx(styles.search, styles.field)} />
      <div className={clsx(styles.filters, styles.line)} />
      <div className={clsx(styles.add, styles.line)} />
    </>
  );
}
