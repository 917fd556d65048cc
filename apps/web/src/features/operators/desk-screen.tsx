/**
 * The operators' desk: every advance, grouped by what it is waiting for, with search, views, assignment and one advance's details beside
 * the list.
 */
import type { DeskRow } from '@portal/contract/desk.ts';
import { systemClock } from '@portal/domain/clock.ts';
import { useMemo, useRef, useState, type MouseEvent } from 'react';
import { useNavigate } from 'react-router';
import { getPageLink } from '../../lib/page-link.ts';
import { changeSearchParams, useSearchParams } from '../../lib/search-params.ts';
import { useWindowWidth } from '../../lib/use-window-width.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable, DataTableSkeleton, listColumnsThatOverflow } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NothingToReviewIllustration } from '../../ui/illustrations.tsx';
import { Row } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { DESK_COLUMN_ORDER, listDeskColumns, NARROW_COLUMN_ORDER } from './desk-columns.tsx';
import { DeskAssignBar } from './desk-assign-bar.tsx';
import { DeskDetails } from './desk-details.tsx';
import { DeskFilterBar } from './desk-filter-bar.tsx';
import { DeskFigures } from './desk-figures.tsx';
import { DESK_FILTER_NAMES, parseDeskParams, type DeskParams } from './desk-params.ts';
import { ListSearch } from '../../ui/list-search.tsx';
import { DeskViews } from './desk-views.tsx';
import styles from './desk-screen.module.css';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';
import { useDesk, useAssign, useOperators } from './use-desk.ts';
import { useDeskKeys, type DeskKey } from './use-desk-keys.ts';

const NO_FILTERS = Object.fromEntries(DESK_FILTER_NAMES.map((name) => [name, undefined]));
type FilterChanges = Readonly<Record<string, string | undefined>>;

export function DeskScreen() {
  const [search, setSearch] = useSearchParams();
  const params = useMemo(() => parseDeskParams(search), [search]);
  const { list, summary } = useDesk(params);
  const [hasShortcuts, setHasShortcuts] = useState(false);
  const change = (changes: FilterChanges): void =>
    setSearch((current) => changeSearchParams(current, changes), { replace: true, preventScrollReset: true });
  return (
    <Page
      title="Work queue"
      maxWidth="full"
      dense
      actions={
        <Row gap={8} className={styles.tools}>
          <ListSearch
            label="Search advances"
            hint="By company, VAT number, company number or advance ID"
            text={params.filters.q ?? ''}
            onSearch={(q) => change({ q: q === '' ? undefined : q })}
          />
          <Button size="small" variant="text" onClick={() => setHasShortcuts(true)} aria-keyshortcuts="?">
            Shortcuts
          </Button>
        </Row>
      }
    >
      <DeskFigures summary={summary.data} />
      <DeskViews search={search} counts={summary.data?.views} />
      <DeskFilterBar filters={params.filters} summary={summary.data} onChange={change} onClear={() => change(NO_FILTERS)} />
      <LoadState query={list} skeleton={<DataTableSkeleton />}>
        {(rows) => (
          <DeskResults
            {...{ rows, params, change }}
            now={summary.data?.now ?? systemClock.now()}
            total={summary.data?.matched}
            isLoadingMore={list.isFetchingNextPage || list.isPlaceholderData}
            loadMore={list.hasNextPage ? () => void list.fetchNextPage() : undefined}
            onHelp={() => setHasShortcuts(true)}
          />
        )}
      </LoadState>
      {hasShortcuts && <ShortcutsDialog onClose={() => setHasShortcuts(false)} />}
    </Page>
  );
}

type DeskResultsProps = {
  rows: readonly DeskRow[];
  params: DeskParams;
  change: (changes: FilterChanges) => void;
  now: ReturnType<typeof systemClock.now>;
  total: number | undefined;
  isLoadingMore: boolean;
  loadMore: (() => void) | undefined;
  onHelp: () => void;
};

const NONE: ReadonlySet<string> = new Set();
/** From this width up, the details are beside the list. On narrower screens, they are a dialog. */
const DETAILS_BESIDE_FROM_PX = 1200;
const NARROW_BELOW_PX = 600;
const [MAX_PAGE_PX, PADDING_PX, SCROLL_BAR_PX, DETAILS_PX] = [1536, 50, 16, 392];

function DeskResults({ rows, params, change, now, total, isLoadingMore, loadMore, onHelp }: DeskResultsProps) {
  const width = useWindowWidth();
  const isNarrow = width < NARROW_BELOW_PX;
  const columns = useMemo(() => listDeskColumns(now, isNarrow), [now, isNarrow]);
  const fitsBeside = width >= DETAILS_BESIDE_FROM_PX;
  const [selectedIds, setSelected] = useState(NONE);
  const [activeId, setActiveId] = useState<string>();
  const [areDetailsShown, setAreDetailsShown] = useState(fitsBeside);
  const noteField = useRef<HTMLTextAreaElement>(null);
  const navigate = useNavigate();
  const assign = useAssign();
  const operators = useOperators();
  const activeRow = rows.find(({ advance_id }) => advance_id === activeId) ?? (fitsBeside ? rows[0] : undefined);
  const onShortcut = (key: DeskKey): void => {
    if (key === '?') return onHelp();
    if (key === '/') return document.querySelector<HTMLInputElement>('[data-desk-search]')?.focus();
    if (!activeRow) return;
    const ownUserId = operators.find(({ is_you }) => is_you)?.user_id;
    if (key === ' ') setAreDetailsShown(!areDetailsShown);
    if (key === 'a' && ownUserId !== undefined) assign.mutate({ rows: [activeRow], operatorId: ownUserId });
    if (key === 'u') assign.mutate({ rows: [activeRow], operatorId: null });
    if (key === 'x') setSelected(toggle(selectedIds, activeRow.advance_id));
    if (key === 'c') void navigate(getPageLink('adminCompany', { company_id: activeRow.company_id }));
    if (key === 'n') {
      setAreDetailsShown(true);
      // The field exists only after the details have been rendered.
      setTimeout(() => noteField.current?.focus());
    }
  };
  useDeskKeys(onShortcut);
  const isBeside = fitsBeside && areDetailsShown;
  const available = Math.min(width - SCROLL_BAR_PX, MAX_PAGE_PX) - PADDING_PX - (isBeside ? DETAILS_PX : 0);
  if (rows.length === 0) return <NothingFound hasFilters={Object.keys(params.filters).length > 0} onClear={() => change(NO_FILTERS)} />;
  return (
    <div className={isBeside ? styles.beside : undefined}>
      <div
        className={styles.list}
        onFocus={({ target }) => setActiveId(findAdvanceId(target) ?? activeId)}
        // Capture phase, so that it runs before the table follows the row's link: clicking a row opens the details; clicking the company
        // name opens its page.
        onClickCapture={(event) => {
          const id = findRowId(event);
          if (id === undefined) return;
          setActiveId(id);
          setAreDetailsShown(true);
        }}
      >
        <DataTable
          label="Advances"
          listKey={JSON.stringify(params)}
          rows={rows}
          columns={columns}
          getRowId={(row) => row.advance_id}
          getRowName={(row) => row.company_name}
          hidden={
            isNarrow ? listHiddenColumns(columns, NARROW_COLUMN_ORDER) : listColumnsThatOverflow(columns, DESK_COLUMN_ORDER, available)
          }
          order={params}
          onOrder={({ sort, direction }) => change({ sort, direction })}
          selected={selectedIds}
          onSelect={setSelected}
          total={total}
          dense
          isLoadingMore={isLoadingMore}
          loadMore={loadMore}
        />
        {selectedIds.size > 0 && (
          <DeskAssignBar rows={rows.filter((row) => selectedIds.has(row.advance_id))} onClear={() => setSelected(NONE)} />
        )}
      </div>
      {areDetailsShown && activeRow && (
        <DeskDetails
          key={activeRow.advance_id}
          row={activeRow}
          now={now}
          isBeside={isBeside}
          noteField={noteField}
          onClose={() => setAreDetailsShown(false)}
        />
      )}
    </div>
  );
}

function NothingFound({ hasFilters, onClear }: { hasFilters: boolean; onClear: () => void }) {
  return (
    <EmptyState
      framed
      illustration={<NothingToReviewIllustration />}
      title={hasFilters ? 'No advances match' : 'No advances need action'}
      text={hasFilters ? 'Change the search or the filters to see more.' : 'New items appear here automatically.'}
    >
      {hasFilters && (
        <Button size="small" variant="outlined" onClick={onClear}>
          Clear filters
        </Button>
      )}
    </EmptyState>
  );
}

function listHiddenColumns(columns: readonly { readonly id: string }[], shownColumns: readonly string[]): string[] {
  return columns.flatMap(({ id }) => (shownColumns.includes(id) ? [] : [id]));
}

function toggle(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}

function findAdvanceId(element: Element): string | undefined {
  return element.closest('[data-index]')?.querySelector<HTMLElement>('[data-advance]')?.dataset['advance'];
}

/** Returns the ID of the advance whose row received a plain click outside its link and controls. */
function findRowId(event: MouseEvent<HTMLElement>): string | undefined {
  const { target } = event;
  if (!(target instanceof Element) || target.closest('a, button, input, label') || event.ctrlKey || event.metaKey || event.shiftKey)
    return undefined;
  const id = findAdvanceId(target);
  if (id !== undefined) event.stopPropagation();
  return id;
}
