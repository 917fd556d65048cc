/** All clients of a practice in one list of any size, with search, filters, sorting, selection, saved views and export. */
import { EXPORT_TABLE_PATH, EXPORT_FORMATS, type ExportFormat } from '@portal/contract/clients.ts';
import { practiceApi } from '@portal/contract/practice.ts';
import { systemClock } from '@portal/domain/clock.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTheme } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { apiQuery } from '../../lib/api.ts';
import { formatClientCount } from '../../lib/client-labels.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { pageLink } from '../../lib/page-link.ts';
import { clientImportLink } from '../../lib/practice-home.ts';
import { PORTAL_BASE } from '../../lib/settings.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Icon } from '../../ui/icons.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { NoPracticeCard } from '../../ui/no-practice-card.tsx';
import { Page } from '../../ui/page.tsx';
import { PracticeNav } from '../../ui/practice-nav.tsx';
import { RefreshStatus } from '../../ui/refresh-status.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { ClientCards } from './client-cards.tsx';
import { clientColumns } from './client-columns.tsx';
import { AddClientDialog } from './add-client-dialog.tsx';
import { ColumnsDialog } from './columns-dialog.tsx';
import { ChangesDialog } from './changes-dialog.tsx';
import { FilterBar } from './filter-bar.tsx';
import { changeSearchParams, FILTER_NAMES, parseListParams } from './list-params.ts';
import { NoClients, NothingFound } from './no-clients.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { useClientList } from './use-client-list.ts';
import { ViewDialog } from './view-dialog.tsx';

const NO_FILTERS = Object.fromEntries(FILTER_NAMES.map((name) => [name, undefined]));

type OpenDialog = 'views' | 'columns' | 'changes' | 'add' | null;

export function ClientsScreen() {
  const { companyId, settled } = useCompanyId();
  const [search, setSearch] = useSearchParams();
  const address = useMemo(() => parseListParams(search), [search]);
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const profile = useQuery({ ...apiQuery(practiceApi.accountantProfile, { company_id: companyId }), enabled: companyId !== '' });
  const { list, count } = useClientList(companyId, address);
  const today = count.data?.today ?? systemClock.today();
  const columns = useMemo(() => clientColumns(companyId, today), [companyId, today]);
  const isAdmin = profile.data?.role === 'admin';
  const change = (changes: Readonly<Record<string, string | undefined>>): void =>
    setSearch(changeSearchParams(search, changes), { replace: true, preventScrollReset: true });
  if ((settled && companyId === '') || profile.error?.status === 404) return <NoPracticeCard title="Clients" />;
  const hasNone = count.data?.all === 0;
  const importLink = clientImportLink(companyId);
  return (
    <Page
      title="Clients"
      maxWidth="full"
      actions={
        isAdmin && (
          <>
            {importLink !== undefined && (
              <Button component={Link} to={importLink} variant={hasNone ? 'contained' : 'outlined'} size="small">
                Import clients
              </Button>
            )}
            {!hasNone && (
              <Button component={Link} to={pageLink('taxStatements', { company_id: companyId })} variant="outlined" size="small">
                Import statements
              </Button>
            )}
            <Button size="small" onClick={() => setDialog('add')} variant={hasNone ? 'outlined' : 'contained'}>
              Add a client
            </Button>
          </>
        )
      }
    >
      <PracticeNav companyId={companyId} />
      {hasNone ? (
        <NoClients importLink={importLink} isAdmin={isAdmin} />
      ) : (
        <>
          <RefreshStatus companyId={companyId} isAdmin={isAdmin} />
          <FilterBar companyId={companyId} today={today} filters={address.filters} onChange={change} />
          <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1, alignItems: 'center', mb: 1, minHeight: 40 }}>
            {/* "Clear filters" is beside the count, so that nothing below moves when a filter is chosen. On a phone both have a line of their own. */}
            <Box
              sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1, alignItems: 'center', mr: 'auto', width: { xs: '100%', sm: 'auto' } }}
            >
              <Typography role="status" sx={{ fontWeight: 500 }}>
                {count.data ? countText(count.data) : 'Counting …'}
              </Typography>
              {address.filters.tax !== undefined && (
                // Next dates and amounts cover all taxes. Without this hint, people who filter by one tax would take them for that tax.
                <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                  with dates and amounts of all their taxes
                </Typography>
              )}
              {Object.keys(address.filters).length > 0 && (
                <Button variant="text" size="small" onClick={() => change(NO_FILTERS)}>
                  Clear filters
                </Button>
              )}
            </Box>
            <Button variant="text" size="small" onClick={() => setDialog('views')}>
              Views
            </Button>
            {isAdmin && (
              <Button variant="text" size="small" onClick={() => setDialog('changes')}>
                Changes
              </Button>
            )}
            <Button variant="text" size="small" onClick={() => setDialog('columns')} sx={{ display: { xs: 'none', md: 'inline-flex' } }}>
              Columns
            </Button>
            {EXPORT_FORMATS.map((format) => (
              <Button
                key={format}
                component="a"
                href={exportHref(companyId, address, format)}
                download
                variant="text"
                size="small"
                startIcon={<Icon name="download" sx={{ display: { xs: 'none', sm: 'block' } }} />}
                sx={{ minWidth: 0 }}
                aria-label={`Download as ${format.toUpperCase()}`}
              >
                {format.toUpperCase()}
              </Button>
            ))}
          </Box>
          <LoadState query={list} skeleton={<TableSkeleton rows={12} />}>
            {(rows) => (
              <ClientResults rows={rows} {...{ companyId, today, columns, address, change, list, isAdmin }} total={count.data?.count} />
            )}
          </LoadState>
        </>
      )}
      <ViewDialog companyId={companyId} search={search} open={dialog === 'views'} onClose={() => setDialog(null)} />
      <ColumnsDialog
        columns={columns}
        hidden={address.hidden}
        dense={address.dense}
        onChange={change}
        open={dialog === 'columns'}
        onClose={() => setDialog(null)}
      />
      <ChangesDialog companyId={companyId} open={dialog === 'changes'} onClose={() => setDialog(null)} />
      {dialog === 'add' && <AddClientDialog companyId={companyId} onClose={() => setDialog(null)} />}
    </Page>
  );
}

type ClientResultsProps = {
  companyId: string;
  today: PlainDate;
  rows: NonNullable<ReturnType<typeof useClientList>['list']['data']>;
  columns: ReturnType<typeof clientColumns>;
  address: ReturnType<typeof parseListParams>;
  change: (changes: Readonly<Record<string, string | undefined>>) => void;
  list: ReturnType<typeof useClientList>['list'];
  total: number | undefined;
  isAdmin: boolean;
};

function ClientResults({ companyId, today, rows, columns, address, change, list, total, isAdmin }: ClientResultsProps) {
  const narrow = useMediaQuery(useTheme().breakpoints.down('md'));
  const { selected, isAll, select, selectAll } = useSelection(rows, address);
  const known = useMemo(() => new Map(rows.map((row) => [row.client_id, row.name])), [rows]);
  const shared = {
    rows,
    total,
    selected,
    onSelect: select,
    // Keep the previous rows until the new filter or order has loaded.
    isLoadingMore: list.isFetchingNextPage || list.isPlaceholderData,
    loadMore: list.hasNextPage ? () => void list.fetchNextPage() : undefined,
  };
  return (
    <>
      {rows.length === 0 ? (
        <NothingFound onClear={() => change(NO_FILTERS)} />
      ) : narrow ? (
        <ClientCards companyId={companyId} today={today} {...shared} />
      ) : (
        <DataTable
          {...shared}
          label="Clients"
          listKey={JSON.stringify([address.filters, address.sort, address.direction])}
          columns={columns}
          getRowId={idOf}
          getRowName={nameOf}
          hidden={address.hidden}
          dense={address.dense}
          order={address}
          onOrder={(order) => change({ sort: order.sort, direction: order.direction })}
        />
      )}
      <SelectionBar
        companyId={companyId}
        filters={address.filters}
        known={known}
        selected={selected}
        isAll={isAll}
        total={total}
        onAll={selectAll}
        onClear={() => select(new Set())}
        exportQuery={(format) => exportQuery(companyId, address, format)}
        exportHref={(format) => exportHref(companyId, address, format)}
        isAdmin={isAdmin}
      />
    </>
  );
}

const NONE: ReadonlySet<string> = new Set();

/**
 * The selected clients. Cleared when the filters change, because an action must match what the user sees. `isAll`: all that match,
 * including those not loaded yet.
 */
function useSelection(rows: ClientResultsProps['rows'], { filters }: ClientResultsProps['address']) {
  const of = JSON.stringify(filters);
  const [selection, setSelection] = useState<{ readonly of: string; readonly ids: ReadonlySet<string>; readonly isAll: boolean }>({
    of,
    ids: NONE,
    isAll: false,
  });
  const isAll = selection.of === of && selection.isAll;
  const selected = useMemo(
    () => (isAll ? new Set(rows.map((row) => row.client_id)) : selection.of === of ? selection.ids : NONE),
    [isAll, rows, selection, of],
  );
  return {
    selected,
    isAll,
    select: (ids: ReadonlySet<string>) => setSelection({ of, ids, isAll: false }),
    selectAll: () => setSelection({ of, ids: NONE, isAll: true }),
  };
}

type Row = ClientResultsProps['rows'][number];
const idOf = (row: Row): string => row.client_id;
const nameOf = (row: Row): string => row.name;

function countText({ count, all }: { count: number; all: number }): string {
  return count === all ? formatClientCount(all) : `${formatClientCount(count)} of ${all.toLocaleString('en-GB')}`;
}

type Address = ReturnType<typeof parseListParams>;

function exportQuery(companyId: string, { filters, sort, direction }: Address, format: ExportFormat): URLSearchParams {
  return new URLSearchParams([
    ['company_id', companyId],
    ...Object.entries(filters).map(([name, value]) => [name, String(value)]),
    ...Object.entries({ sort, direction, format }),
  ]);
}

/** The URL of the export with the list's current filters and order. */
const exportHref = (companyId: string, address: Address, format: ExportFormat): string =>
  `${PORTAL_BASE}${EXPORT_TABLE_PATH}?${exportQuery(companyId, address, format)}`;
