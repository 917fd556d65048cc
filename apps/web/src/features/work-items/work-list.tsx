import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { workItemsApi, type WorkItem } from '@portal/contract/work-items.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { apiRequest, type ApiError } from '../../lib/api.ts';
import { TOO_NARROW_FOR_ACTIONS, useMediaQuery } from '../../lib/use-media-query.ts';
import { Button } from '../../ui/button.tsx';
import { BareCheckbox } from '../../ui/choice.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NoClientsIllustration } from '../../ui/illustrations.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { RecordCards } from '../../ui/record-cards.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { Table, TableHead } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';
import { describeProgress, WorkClient, WorkDue, WorkStatusSelect, type Changes } from './work-facts.tsx';
import type { WorkFilters } from './work-filters.tsx';

type WorkListProps = {
  companyId: string;
  filters: WorkFilters;
  selected: ReadonlySet<string>;
  onSelect: (id: string) => void;
  changes: Changes;
  onOpen: (id: string) => void;
  onCreate: () => void;
};

export function WorkList({ companyId, filters, onCreate, ...rest }: WorkListProps) {
  const query = useWorkPages(companyId, filters);
  const today = query.data?.pages[0]?.today;
  const isDefaultView = Object.keys(filters).every((name) => name === 'status' || name === 'owner') && filters.status === 'open';
  return (
    <LoadState query={query} skeleton={<CardSkeleton lines={6} />}>
      {({ pages }) => {
        const items = pages.flatMap((page) => page.items);
        if (items.length === 0) {
          return (
            <EmptyState
              framed
              illustration={<NoClientsIllustration />}
              title={isDefaultView ? 'No open tasks' : 'No tasks match'}
              text={isDefaultView ? 'Create one by hand or from a template.' : 'Change or clear the filters to see other tasks.'}
            >
              {isDefaultView && (
                <Button variant="outlined" onClick={onCreate}>
                  Create a task
                </Button>
              )}
            </EmptyState>
          );
        }
        return (
          <Stack gap={16}>
            <SectionCard>{today !== undefined && <Rows companyId={companyId} items={items} today={today} {...rest} />}</SectionCard>
            {query.hasNextPage && (
              <Button variant="outlined" onClick={() => void query.fetchNextPage()} isBusy={query.isFetchingNextPage}>
                Show more
              </Button>
            )}
          </Stack>
        );
      }}
    </LoadState>
  );
}

/** Loads the pages by due date. The key starts like that of every other query of the endpoint, so that a change invalidates it. */
function useWorkPages(companyId: string, filters: WorkFilters) {
  const input = { company_id: companyId, ...filters, limit: 50 };
  return useInfiniteQuery<WorkPage, ApiError, { pages: WorkPage[] }, readonly unknown[], string | undefined>({
    queryKey: [workItemsApi.list.path, input, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      apiRequest(workItemsApi.list, { ...input, ...(pageParam === undefined ? {} : { cursor: pageParam }) }, { signal }),
    initialPageParam: undefined,
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
    enabled: companyId !== '',
  });
}
type WorkPage = EndpointOutput<typeof workItemsApi.list>;

type RowsProps = Pick<WorkListProps, 'companyId' | 'selected' | 'onSelect' | 'changes' | 'onOpen'> & {
  items: readonly WorkItem[];
  today: PlainDate;
};

function Rows({ companyId, items, today, selected, onSelect, changes, onOpen }: RowsProps) {
  const showsCards = useMediaQuery(TOO_NARROW_FOR_ACTIONS);
  const renderTitle = (item: WorkItem) => (
    <Button variant="text" size="small" fit="flush" startAligned onClick={() => onOpen(item.item_id)}>
      {item.title}
    </Button>
  );
  const renderCheckbox = (item: WorkItem) => (
    <BareCheckbox label={`Select ${item.title}`} checked={selected.has(item.item_id)} onChange={() => onSelect(item.item_id)} />
  );
  if (showsCards) {
    return (
      <RecordCards
        label="Tasks"
        cards={items.map((item) => ({
          key: item.item_id,
          title: renderTitle(item),
          facts: [
            { label: 'Select', value: renderCheckbox(item) },
            { label: 'Client', value: <WorkClient companyId={companyId} item={item} /> },
            { label: 'Due', value: <WorkDue item={item} today={today} /> },
            { label: 'Owner', value: item.owner?.full_name ?? 'Unassigned' },
            { label: 'Status', value: <WorkStatusSelect item={item} changes={changes} /> },
          ],
        }))}
      />
    );
  }
  return (
    <Table label="Tasks" flush dense>
      <TableHead columns={['Select', 'Task', 'Client', 'Due', 'Owner', 'Status']} />
      <tbody>
        {items.map((item) => (
          <tr key={item.item_id}>
            <td>{renderCheckbox(item)}</td>
            <th scope="row">
              {renderTitle(item)}
              <Text size="small" tone="quiet">
                {describeProgress(item)}
              </Text>
            </th>
            <td>
              <WorkClient companyId={companyId} item={item} />
            </td>
            <td>
              <WorkDue item={item} today={today} />
            </td>
            <td>{item.owner?.full_name ?? 'Unassigned'}</td>
            <td>
              <WorkStatusSelect item={item} changes={changes} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
