/** All of a practice's clients in one list of any size, with search, filters, sorting, selection, saved views and export. */
import { systemClock } from '@portal/domain/clock.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { lazy, Suspense, useDeferredValue, useEffect, useId, useMemo, useState } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { useSession } from '../../core/session.tsx';
import { getPageLink } from '../../lib/page-link.ts';
import { changeSearchParams, useSearchParams } from '../../lib/search-params.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { getClientImportLink } from '../../lib/practice-home.ts';
import { usePracticeProfile } from '../../lib/practice-profile.ts';
import { CARD_LAYOUT_QUERY, useMediaQuery } from '../../lib/use-media-query.ts';
import { useWindowWidth } from '../../lib/use-window-width.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable, DataTableSkeleton, listColumnsThatOverflow } from '../../ui/data-table.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { PracticePage } from '../../components/practice/practice-page.tsx';
import { ClientCards, ClientCardsSkeleton } from './client-cards.tsx';
import { DEFAULT_COLUMNS, listClientColumns } from './client-columns.tsx';
import styles from './clients-screen.module.css';
import { FilterBar } from './filter-bar.tsx';
import { ListSummary } from './list-summary.tsx';
import { ListToolbar, ListToolbarSkeleton } from './list-toolbar.tsx';
import type { ListDialog } from './more-menu.tsx';
import { getMyWorkQuery, hasNoFilter, listPresetViews, toViewKey } from './preset-views.ts';
import { FILTER_NAMES, getExportHref, parseListParams, toExportQuery } from './list-params.ts';
import { NoClients, NothingFound } from './no-clients.tsx';
import { useClientList } from './use-client-list.ts';

// Loaded on first use, so that they don't delay the list.
const AddClientDialog = lazy(() => import('./add-client-dialog.tsx').then((file) => ({ default: file.AddClientDialog })));
const ChangesDialog = lazy(() => import('./changes-dialog.tsx').then((file) => ({ default: file.ChangesDialog })));
const ColumnsDialog = lazy(() => import('./columns-dialog.tsx').then((file) => ({ default: file.ColumnsDialog })));
const RefreshStatus = lazy(() => import('../../components/practice/refresh-status.tsx').then((file) => ({ default: file.RefreshStatus })));
const SelectionBar = lazy(() => import('./selection-bar.tsx').then((file) => ({ default: file.SelectionBar })));
const ViewDialog = lazy(() => import('./view-dialog.tsx').then((file) => ({ default: file.ViewDialog })));

/** Space reserved for the window's scroll bar. */
const SCROLL_BAR_PX = 16;
/** The maximum width of the page's content, and its padding including the table's border. */
const [MAX_PAGE_PX, PADDING_PX] = [1536, 50];
const DEFAULT_HIDDEN: readonly string[] = listClientColumns('', systemClock.today(), {})
  .map(({ id }) => id)
  .filter((id) => !DEFAULT_COLUMNS.includes(id));

const NO_FILTERS = Object.fromEntries(FILTER_NAMES.map((name) => [name, undefined]));

type OpenDialog = ListDialog | 'add' | null;

export function ClientsScreen() {
  const { companyId } = useCompanyId();
  const [search, setSearch] = useSearchParams();
  const address = useMemo(() => parseListParams(search), [search]);
  const [dialog, setDialog] = useDialog();
  const profile = usePracticeProfile(companyId);
  const { list, count } = useClientList(companyId, address);
  // What is above the list depends on the role, so wait for it to avoid a layout shift.
  const isLoading = profile.isPending || (count.isPending && list.data === undefined);
  // Render the first content in small pieces, as `LoadState` does: the list's data may arrive before the role.
  const isReady = useDeferredValue(!isLoading);
  const isTable = !useMediaQuery(CARD_LAYOUT_QUERY);
  const status = usePanel(false);
  const today = count.data?.today ?? systemClock.today();
  const isAdmin = profile.data?.role === 'admin';
  const mayExport = profile.data?.permissions.includes('export') ?? false;
  const { session } = useSession();
  const userId = session.status === 'signed_in' ? session.person.user_id : undefined;
  const isPresetView = listPresetViews(today, isAdmin, userId).some(
    ({ query }) => toViewKey(new URLSearchParams(query)) === toViewKey(search),
  );
  const filters = usePanel(!isPresetView);
  const columns = useMemo(() => listClientColumns(companyId, today, address.filters), [companyId, today, address.filters]);
  const change = (changes: Readonly<Record<string, string | undefined>>): void =>
    setSearch((current) => changeSearchParams(current, changes), { replace: true, preventScrollReset: true });
  // By default, a team member's list shows their own work.
  if (profile.data?.role === 'team_member' && userId !== undefined && hasNoFilter(search)) {
    return <Navigate to={`${getPageLink('practiceClients', { company_id: companyId })}&${getMyWorkQuery(userId)}`} replace />;
  }
  const hasNoClients = count.data?.all === 0;
  const close = (): void => setDialog(null);
  if (isLoading || !isReady) {
    return (
      <PracticePage title="Clients" maxWidth="full" dense actions={<ListToolbarSkeleton />}>
        <div aria-busy="true">
          <HiddenText role="status">Loading</HiddenText>
          <ListSkeleton />
        </div>
      </PracticePage>
    );
  }
  const toolbar = (
    <ListToolbar
      {...{ companyId, today, isAdmin, userId, mayExport, isTable, address, search, filters, status }}
      count={count.data}
      onSearch={(q) => change({ q: q === '' ? undefined : q })}
      onOpen={setDialog}
    />
  );
  const clearFilters = (): void => change({ ...NO_FILTERS, q: address.filters.q });
  return (
    <PracticePage
      title="Clients"
      maxWidth="full"
      dense
      actions={hasNoClients ? isAdmin && <FirstClient onAdd={() => setDialog('add')} /> : toolbar}
    >
      {hasNoClients ? (
        <NoClients importLink={getClientImportLink(companyId)} isAdmin={isAdmin} />
      ) : (
        <>
          {status.isOpen && (
            <div id={status.panelId}>
              <Suspense fallback={null}>
                <RefreshStatus companyId={companyId} isAdmin={isAdmin} />
              </Suspense>
            </div>
          )}
          {filters.isOpen && (
            <FilterBar id={filters.panelId} {...{ companyId, today }} filters={address.filters} onChange={change} onClear={clearFilters} />
          )}
          <ListSummary counts={count.data} filters={address.filters} />
          <LoadState query={list} skeleton={<ListSkeleton />}>
            {(rows) => (
              <ClientResults
                rows={rows}
                {...{ companyId, today, columns, address, change, list, isAdmin, mayExport, isTable }}
                total={count.data?.count}
              />
            )}
          </LoadState>
        </>
      )}
      <Suspense fallback={null}>
        {dialog === 'views' && <ViewDialog companyId={companyId} search={search} onClose={close} />}
        {dialog === 'columns' && (
          <ColumnsDialog
            columns={columns}
            hidden={address.hidden ?? DEFAULT_HIDDEN}
            dense={address.dense}
            onChange={change}
            onClose={close}
          />
        )}
        {dialog === 'changes' && <ChangesDialog companyId={companyId} onClose={close} />}
        {dialog === 'add' && <AddClientDialog companyId={companyId} onClose={close} />}
      </Suspense>
    </PracticePage>
  );
}

/** The open dialog. The command palette opens one through the location's state. */
function useDialog() {
  const { state } = useLocation() as { state: { opens?: unknown } | null };
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const isAsked = state?.opens === 'add';
  useEffect(() => {
    if (!isAsked) return;
    setDialog('add');
    // Clear the state, so that neither reloading nor going back opens the dialog again.
    void navigate({ search: location.search }, { replace: true, state: null, preventScrollReset: true });
  }, [isAsked, navigate]);
  return [dialog, setDialog] as const;
}

/** A panel above the list that is opened and closed with a toolbar button. */
function usePanel(startsOpen: boolean) {
  const panelId = useId();
  const [isOpen, setIsOpen] = useState(startsOpen);
  return { isOpen, panelId, toggle: () => setIsOpen(!isOpen) };
}

function FirstClient({ onAdd }: { onAdd: () => void }) {
  return (
    <Button size="small" variant="outlined" onClick={onAdd} className={styles.first}>
      Add a client
    </Button>
  );
}

function ListSkeleton() {
  return useMediaQuery(CARD_LAYOUT_QUERY) ? <ClientCardsSkeleton /> : <DataTableSkeleton />;
}

/** The columns that the table hides: those the user has hidden or, by default, those that don't fit. */
function useHiddenColumns(columns: ReturnType<typeof listClientColumns>, chosenColumns: readonly string[] | undefined): readonly string[] {
  const width = useWindowWidth();
  return useMemo(() => {
    if (chosenColumns !== undefined) return chosenColumns;
    const shownColumns = columns.filter(({ id }) => !DEFAULT_HIDDEN.includes(id));
    return [
      ...DEFAULT_HIDDEN,
      ...listColumnsThatOverflow(shownColumns, DEFAULT_COLUMNS, Math.min(width - SCROLL_BAR_PX, MAX_PAGE_PX) - PADDING_PX),
    ];
  }, [columns, chosenColumns, width]);
}

type ClientResultsProps = {
  companyId: string;
  today: PlainDate;
  rows: NonNullable<ReturnType<typeof useClientList>['list']['data']>;
  columns: ReturnType<typeof listClientColumns>;
  address: ReturnType<typeof parseListParams>;
  change: (changes: Readonly<Record<string, string | undefined>>) => void;
  list: ReturnType<typeof useClientList>['list'];
  total: number | undefined;
  isAdmin: boolean;
  mayExport: boolean;
  isTable: boolean;
};

function ClientResults({ companyId, today, rows, columns, address, change, list, total, isAdmin, mayExport, isTable }: ClientResultsProps) {
  const hiddenColumns = useHiddenColumns(columns, address.hidden);
  const { selected, isAll, hasSelected, select, selectAll } = useSelection(rows, address);
  const namesById = useMemo(() => new Map(rows.map((row) => [row.client_id, row.name])), [rows]);
  const sharedProps = {
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
      ) : !isTable ? (
        <ClientCards companyId={companyId} today={today} filters={address.filters} {...sharedProps} />
      ) : (
        <DataTable
          {...sharedProps}
          label="Clients"
          listKey={JSON.stringify([address.filters, address.sort, address.direction])}
          columns={columns}
          getRowId={getRowId}
          getRowName={getClientName}
          hidden={hiddenColumns}
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
            known={namesById}
            selected={selected}
            isAll={isAll}
            total={total}
            onSelectAll={selectAll}
            onClear={() => select(new Set())}
            exportQuery={(format) => toExportQuery(companyId, address, format)}
            exportHref={(format) => getExportHref(companyId, address, format)}
            isAdmin={isAdmin}
            mayExport={mayExport}
          />
        )}
      </Suspense>
    </>
  );
}

const NONE: ReadonlySet<string> = new Set();
type Selection = { readonly of: string; readonly ids: ReadonlySet<string>; readonly isAll: boolean };

/**
 * The selected clients. Cleared when the filters change, because an action must match what the user sees. `isAll`: all matching clients,
 * including those not loaded yet.
 */
function useSelection(rows: ClientResultsProps['rows'], { filters }: ClientResultsProps['address']) {
  const filtersKey = JSON.stringify(filters);
  const [selection, setSelection] = useState<Selection>();
  const current = selection?.of === filtersKey ? selection : undefined;
  const isAll = current?.isAll === true;
  const selectedIds = useMemo(() => (isAll ? new Set(rows.map((row) => row.client_id)) : (current?.ids ?? NONE)), [isAll, rows, current]);
  return {
    selected: selectedIds,
    isAll,
    /** Whether anything has been selected since the screen was opened. If so, the bar stays, to show the outcome. */
    hasSelected: selection !== undefined,
    select: (ids: ReadonlySet<string>) => setSelection({ of: filtersKey, ids, isAll: false }),
    selectAll: () => setSelection({ of: filtersKey, ids: NONE, isAll: true }),
  };
}

type ClientRow = ClientResultsProps['rows'][number];
const getRowId = (row: ClientRow): string => row.client_id;
const getClientName = (row: ClientRow): string => row.name;
