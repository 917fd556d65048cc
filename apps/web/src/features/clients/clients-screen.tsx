/** All clients of a practice in one list of any size: searched, narrowed, sorted, chosen, kept as views, taken out as a file. */
import { EXPORT_TABLE_PATH } from '@portal/contract/clients.ts';
import { practiceApi } from '@portal/contract/practice.ts';
import { systemClock } from '@portal/domain/clock.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTheme } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { ask } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { clientImportLink } from '../../lib/practice-home.ts';
import { PORTAL_BASE } from '../../lib/settings.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Icon } from '../../ui/icons.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { NoPracticeCard } from '../../ui/no-practice-card.tsx';
import { Page } from '../../ui/page.tsx';
import { PracticeNav } from '../../ui/practice-nav.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { ClientCards } from './client-cards.tsx';
import { clientColumns } from './client-columns.tsx';
import { ClientFormDialog } from './client-form-dialog.tsx';
import { FilterBar } from './filter-bar.tsx';
import { changeAddress, FILTER_NAMES, readListAddress } from './list-address.ts';
import { NoClients, NothingFound } from './no-clients.tsx';
import { clientsText, SelectionBar } from './selection-bar.tsx';
import { useClientList } from './use-client-list.ts';
import { ColumnsDialog, ViewDialog } from './view-menu.tsx';

type OpenDialog = 'views' | 'columns' | 'add' | null;

export function ClientsScreen() {
  const { companyId, settled } = useCompanyId();
  const [search, setSearch] = useSearchParams();
  const address = useMemo(() => readListAddress(search), [search]);
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const profile = useQuery({ ...ask(practiceApi.accountantProfile, { company_id: companyId }), enabled: companyId !== '' });
  const { list, count } = useClientList(companyId, address);
  const columns = useMemo(() => clientColumns(companyId), [companyId]);
  const isAdmin = profile.data?.role === 'admin';
  const change = (changes: Readonly<Record<string, string | undefined>>): void =>
    setSearch(changeAddress(search, changes), { replace: true, preventScrollReset: true });
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
          <FilterBar companyId={companyId} today={count.data?.today ?? systemClock.today()} filters={address.filters} onChange={change} />
          <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1, alignItems: 'center', mb: 1, minHeight: 40 }}>
            <Typography role="status" sx={{ mr: 'auto', fontWeight: 500 }}>
              {count.data ? countText(count.data) : 'Counting …'}
            </Typography>
            <Button variant="text" size="small" onClick={() => setDialog('views')}>
              Views
            </Button>
            <Button variant="text" size="small" onClick={() => setDialog('columns')} sx={{ display: { xs: 'none', md: 'inline-flex' } }}>
              Columns
            </Button>
            {(['csv', 'xlsx'] as const).map((format) => (
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
            {(rows) =>
              rows.length === 0 ? (
                <NothingFound onClear={() => change(Object.fromEntries(FILTER_NAMES.map((name) => [name, undefined])))} />
              ) : (
                <Found rows={rows} {...{ companyId, columns, address, change, list, isAdmin }} total={count.data?.count} />
              )
            }
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
      {dialog === 'add' && <ClientFormDialog companyId={companyId} onClose={() => setDialog(null)} />}
    </Page>
  );
}

type FoundProps = {
  companyId: string;
  rows: NonNullable<ReturnType<typeof useClientList>['list']['data']>;
  columns: ReturnType<typeof clientColumns>;
  address: ReturnType<typeof readListAddress>;
  change: (changes: Readonly<Record<string, string | undefined>>) => void;
  list: ReturnType<typeof useClientList>['list'];
  total: number | undefined;
  isAdmin: boolean;
};

function Found({ companyId, rows, columns, address, change, list, total, isAdmin }: FoundProps) {
  const narrow = useMediaQuery(useTheme().breakpoints.down('md'));
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const names = useMemo(() => new Map(rows.map((row) => [row.client_id, row.name])), [rows]);
  const onSelect = isAdmin ? setSelected : undefined;
  const shared = {
    rows,
    total,
    selected,
    onSelect,
    isLoadingMore: list.isFetchingNextPage,
    loadMore: list.hasNextPage ? () => void list.fetchNextPage() : undefined,
  };
  return (
    <>
      {narrow ? (
        <ClientCards companyId={companyId} {...shared} />
      ) : (
        <DataTable
          {...shared}
          label="Clients"
          columns={columns}
          idOf={idOf}
          nameOf={nameOf}
          hidden={address.hidden}
          dense={address.dense}
          order={address}
          onOrder={(order) => change({ sort: order.sort, direction: order.direction })}
        />
      )}
      <SelectionBar companyId={companyId} names={names} selected={selected} onClear={() => setSelected(new Set())} />
    </>
  );
}

type Row = FoundProps['rows'][number];
const idOf = (row: Row): string => row.client_id;
const nameOf = (row: Row): string => row.name;

function countText({ count, all }: { count: number; all: number }): string {
  return count === all ? clientsText(all) : `${clientsText(count)} of ${all.toLocaleString('en-GB')}`;
}

/** The whole result of the list as it is narrowed and sorted now. */
function exportHref(companyId: string, { filters, sort, direction }: ReturnType<typeof readListAddress>, format: 'csv' | 'xlsx'): string {
  const query = new URLSearchParams([
    ['company_id', companyId],
    ...Object.entries(filters).map(([name, value]) => [name, String(value)]),
    ...Object.entries({ sort, direction, format }),
  ]);
  return `${PORTAL_BASE}${EXPORT_TABLE_PATH}?${query}`;
}
