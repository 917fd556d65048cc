/** All the practice's connections: search, filter by tax, and select some or all of the matches. */
import { formatConnections } from '@portal/domain/pricing/format-connections.ts';
import { TAX_NAMES, TAXES } from '@portal/domain/uk-tax/tax.ts';
import { formatCount } from '../../components/pricing/tier-texts.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { useUrlFilters } from '../../lib/use-url-filters.ts';
import { Button } from '../../ui/button.tsx';
import type { DataColumn } from '../../ui/data-column.ts';
import { DataTable, DataTableSkeleton } from '../../ui/data-table.tsx';
import { FilterPill } from '../../ui/filter-pill.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ListSearch } from '../../ui/list-search.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import styles from './premium-setup.module.css';
import { getConnectionId, useConnections, useSelectConnections, type Connection } from './use-connections.ts';

const COLUMNS: readonly DataColumn<Connection>[] = [
  { id: 'name', title: 'Client', width: 180, cell: ({ name }) => <span className={styles.client}>{name}</span> },
  { id: 'tax', title: 'Tax', width: 96, cell: ({ tax, linked }) => (linked ? TAX_NAMES[tax] : `${TAX_NAMES[tax]}: not linked`) },
];
const BY_NAME = { sort: 'name', direction: 'asc' } as const;
/** The maximum number of connections in one request. */
const MAX_NAMED = 1_000;

export function ConnectionPicker({ companyId }: { companyId: string }) {
  const { filters, change } = useUrlFilters(['q', 'tax']);
  const tax = TAXES.find((known) => known === filters.tax);
  const filter = { ...(filters.q === undefined ? {} : { q: filters.q }), ...(tax === undefined ? {} : { tax }) };
  const isFiltered = filters.q !== undefined || tax !== undefined;
  const list = useConnections(companyId, filter);
  const select = useSelectConnections(companyId, filter);
  return (
    <SectionCard title="Connections">
      <Stack>
        <div className={styles.toolbar}>
          <ListSearch
            label="Search clients"
            hint="Part of the client’s name"
            text={filters.q ?? ''}
            onSearch={(q) => change({ q: q === '' ? undefined : q })}
          />
          <FilterPill
            label="Tax"
            value={tax}
            options={TAXES.map((value) => ({ value, label: TAX_NAMES[value] }))}
            onSelect={(value) => change({ tax: value })}
          />
        </div>
        {select.error && (
          <Notice tone="error" title="Selection not saved" role="alert">
            {getErrorText(select.error)}
          </Notice>
        )}
        <LoadState query={list} skeleton={<DataTableSkeleton />}>
          {({ pages }) => {
            const [newestPage] = pages;
            if (newestPage === undefined || newestPage.count === 0) return <NoConnections companyId={companyId} isFiltered={isFiltered} />;
            const rows = pages.flatMap((page) => page.connections);
            const selectedIds = new Set(rows.filter((row) => row.selected).map(getConnectionId));
            const onSelect = (selectedKeys: ReadonlySet<string>): void => {
              const changedRows = rows.filter((row) => selectedKeys.has(getConnectionId(row)) !== row.selected);
              const [isSelecting] = changedRows.map((row) => !row.selected);
              const namedRows = changedRows.filter((row) => isSelecting !== true || row.linked).slice(0, MAX_NAMED);
              if (isSelecting !== undefined && namedRows.length > 0) select.mutate({ selected: isSelecting, connections: namedRows });
            };
            return (
              <>
                <div className={styles.toolbar}>
                  <Text size="small" tone="quiet" role="status">
                    {isFiltered ? `${formatConnections(newestPage.count)} found. ` : ''}
                    {formatCount(newestPage.no_selected_connections)} selected of{' '}
                    {formatCount(newestPage.taxes.reduce((sum, { linked }) => sum + linked, 0))} linked
                  </Text>
                  <Button size="small" variant="outlined" isBusy={select.isPending} onClick={() => select.mutate({ selected: true })}>
                    Select all {formatCount(newestPage.count)}
                  </Button>
                  <Button size="small" variant="text" disabled={select.isPending} onClick={() => select.mutate({ selected: false })}>
                    Clear {isFiltered ? 'these' : 'all'}
                  </Button>
                </div>
                <DataTable
                  label="Connections"
                  listKey={`${filters.q ?? ''} ${tax ?? ''}`}
                  rows={rows}
                  columns={COLUMNS}
                  getRowId={getConnectionId}
                  getRowName={(row) => `${row.name}, ${TAX_NAMES[row.tax]}`}
                  hidden={[]}
                  order={BY_NAME}
                  onOrder={() => undefined}
                  selected={selectedIds}
                  onSelect={onSelect}
                  total={newestPage.count}
                  dense={false}
                  isLoadingMore={list.isFetchingNextPage}
                  loadMore={list.hasNextPage ? () => void list.fetchNextPage() : undefined}
                />
              </>
            );
          }}
        </LoadState>
      </Stack>
    </SectionCard>
  );
}

function NoConnections({ companyId, isFiltered }: { companyId: string; isFiltered: boolean }) {
  if (isFiltered) return <Text>No connections match. Change the search or the tax.</Text>;
  return (
    <Text>
      No connections yet. They appear once HMRC shows you as authorised for a client’s VAT or Self Assessment, or once you’ve uploaded a
      client’s statement for PAYE or corporation tax.{' '}
      <TextLink to={getPageLink('practiceClients', { company_id: companyId })}>See your clients</TextLink>
    </Text>
  );
}
