/** All clients of a practice in one list of any size, with search, filters, sorting, selection, saved views and export. */
import { practiceApi } from '@portal/contract/practice.ts';
import { systemClock } from '@portal/domain/clock.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useSearchParams } from '../../lib/search-params.ts';
import { apiQuery } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { pageLink } from '../../lib/page-link.ts';
import { clientImportLink } from '../../lib/practice-home.ts';
import { BELOW, useMediaQuery } from '../../lib/use-media-query.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable, DataTableSkeleton } from '../../ui/data-table.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { NoPracticeCard } from '../../components/practice/no-practice-card.tsx';
import { Page } from '../../ui/page.tsx';
import { PracticeNav } from '../../components/practice/practice-nav.tsx';
import { RefreshStatus, useIsRefreshStatusLoaded } from '../../components/practice/refresh-status.tsx';
import { ClientCards, ClientCardsSkeleton } from './client-cards.tsx';
import { clientColumns } from './client-columns.tsx';
import styles from './clients-screen.module.css';
import { FilterBar } from './filter-bar.tsx';
import { ListBar, type ListDialog } from './list-bar.tsx';
import { changeSearchParams, exportHref, exportQuery, FILTER_NAMES, parseListParams } from './list-params.ts';
import { NoClients, NothingFound } from './no-clients.tsx';
import { useClientList } from './use-client-list.ts';

// Loaded at the first click, so that they don't delay the list.
const AddClientDialog = lazy(() => import('./add-client-dialog.tsx').then((file) => ({ default: file.AddClientDialog })));
const ChangesDialog = lazy(() => import('./changes-dialog.tsx').then((file) => ({ default: file.ChangesDialog })));
const ColumnsDialog = lazy(() => import('./columns-dialog.tsx').then((file) => ({ default: file.ColumnsDialog })));
const SelectionBar = lazy(() => import('./selection-bar.tsx').then((file) => ({ default: file.SelectionBar })));
const ViewDialog = lazy(() => import('./view-dialog.tsx').then((file) => ({ default: file.ViewDialog })));

const NO_FILTERS = Object.fromEntries(FILTER_NAMES.map((name) => [name, undefined]));

type OpenDialog = ListDialog | 'add' | null;

export function ClientsScreen() {
  const { companyId, settled } = useCompanyId();
  const [search, setSearch] = useSearchParams();
  const address = useMemo(() => parseListParams(search), [search]);
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const profile = useQuery({ ...apiQuery(practiceApi.accountantProfile, { company_id: companyId }), enabled: companyId !== '' });
  const { list, count } = useClientList(companyId, address);
  const isStatusLoaded = useIsRefreshStatusLoaded(companyId);
  const today = count.data?.today ?? systemClock.today();
  const columns = useMemo(() => clientColumns(companyId, today), [companyId, today]);
  const change = (changes: Readonly<Record<string, string | undefined>>): void =>
    setSearch(changeSearchParams(search, changes), { replace: true, preventScrollReset: true });
  if ((settled && companyId === '') || profile.error?.status === 404) return <NoPracticeCard title="Clients" />;
  const isAdmin = profile.data?.role === 'admin';
  const hasNone = count.data?.all === 0;
  const importLink = clientImportLink(companyId);
  const close = (): void => setDialog(null);
  // The role and the status decide how much is above the list. Nothing is shown that they would move.
  if (profile.isPending || !isStatusLoaded || (count.isPending && list.data === undefined)) {
    return (
      <Page title="Clients" maxWidth="full">
        <div aria-busy="true" className={styles.loading}>
          <HiddenText role="status">Loading</HiddenText>
          <ListSkeleton />
        </div>
      </Page>
    );
  }
  return (
    <Page
      title="Clients"
      maxWidth="full"
      actions={isAdmin && <Actions companyId={companyId} importLink={importLink} hasNone={hasNone} onAdd={() => setDialog('add')} />}
    >
      <PracticeNav companyId={companyId} />
      {hasNone ? (
        <NoClients importLink={importLink} isAdmin={isAdmin} />
      ) : (
        <>
          <RefreshStatus companyId={companyId} isAdmin={isAdmin} />
          <FilterBar companyId={companyId} today={today} filters={address.filters} onChange={change} />
          <ListBar {...{ companyId, address, count: count.data, isAdmin }} onClear={() => change(NO_FILTERS)} onOpen={setDialog} />
          <LoadState query={list} skeleton={<ListSkeleton />}>
            {(rows) => (
              <ClientResults rows={rows} {...{ companyId, today, columns, address, change, list, isAdmin }} total={count.data?.count} />
            )}
          </LoadState>
        </>
      )}
      <Suspense fallback={null}>
        {dialog === 'views' && <ViewDialog companyId={companyId} search={search} onClose={close} />}
        {dialog === 'columns' && (
          <ColumnsDialog columns={columns} hidden={address.hidden} dense={address.dense} onChange={change} onClose={close} />
        )}
        {dialog === 'changes' && <ChangesDialog companyId={companyId} onClose={close} />}
        {dialog === 'add' && <AddClientDialog companyId={companyId} onClose={close} />}
      </Suspense>
    </Page>
  );
}

type ActionsProps = { companyId: string; importLink: string | undefined; hasNone: boolean; onAdd: () => void };

function Actions({ companyId, importLink, hasNone, onAdd }: ActionsProps) {
  return (
    <>
      {importLink !== undefined && (
        <Button to={importLink} variant={hasNone ? 'filled' : 'outlined'} size="small">
          Import clients
        </Button>
      )}
      {!hasNone && (
        <Button to={pageLink('taxStatements', { company_id: companyId })} variant="outlined" size="small">
          Import statements
        </Button>
      )}
      <Button size="small" onClick={onAdd} variant={hasNone ? 'outlined' : 'filled'}>
        Add a client
      </Button>
    </>
  );
}

function ListSkeleton() {
  return useMediaQuery(BELOW.md) ? <ClientCardsSkeleton /> : <DataTableSkeleton />;
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
  const narrow = useMediaQuery(BELOW.md);
  const { selected, isAll, hasSelected, select, selectAll } = useSelection(rows, address);
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
      <Suspense fallback={null}>
        {hasSelected && (
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
        )}
      </Suspense>
    </>
  );
}

const NONE: ReadonlySet<string> = new Set();
type Selection = { readonly of: string; readonly ids: ReadonlySet<string>; readonly isAll: boolean };

/**
 * The selected clients. Cleared when the filters change, because an action must match what the user sees. `isAll`: all that match,
 * including those not loaded yet.
 */
function useSelection(rows: ClientResultsProps['rows'], { filters }: ClientResultsProps['address']) {
  const of = JSON.stringify(filters);
  const [selection, setSelection] = useState<Selection>();
  const current = selection?.of === of ? selection : undefined;
  const isAll = current?.isAll === true;
  const selected = useMemo(() => (isAll ? new Set(rows.map((row) => row.client_id)) : (current?.ids ?? NONE)), [isAll, rows, current]);
  return {
    selected,
    isAll,
    /** Whether anything has been selected since the screen opened. The bar stays afterwards, to show what was done. */
    hasSelected: selection !== undefined,
    select: (ids: ReadonlySet<string>) => setSelection({ of, ids, isAll: false }),
    selectAll: () => setSelection({ of, ids: NONE, isAll: true }),
  };
}

type Row = ClientResultsProps['rows'][number];
const idOf = (row: Row): string => row.client_id;
const nameOf = (row: Row): string => row.name;
