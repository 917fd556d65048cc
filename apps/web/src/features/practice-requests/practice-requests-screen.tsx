/** Lists what the practice has requested from its clients: open, overdue, answered and completed requests. The filters are in the URL. */
import { clientRequestsApi, type ListedRequest } from '@portal/contract/client-requests.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { REQUEST_FILTER_NAMES, REQUEST_FILTERS, type RequestFilter } from '@portal/domain/client-requests/request-list.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { toLondonDate } from '@portal/domain/clock.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { REQUEST_CHIPS } from '../../components/client-requests/request-chips.ts';
import { DateText } from '../../components/formats/date-text.tsx';
import { PracticePage } from '../../components/practice/practice-page.tsx';
import { apiRequest, type ApiError } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { TOO_NARROW_FOR_ACTIONS } from '../../lib/use-media-query.ts';
import { useUrlFilters } from '../../lib/use-url-filters.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilterPill } from '../../ui/filter-pill.tsx';
import { NothingToReviewIllustration } from '../../ui/illustrations.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';

type Filters = { readonly state: RequestFilter; readonly isMine: boolean };

export function PracticeRequestsScreen() {
  const { companyId } = useCompanyId();
  const { filters: chosenFilters, change } = useUrlFilters(['state', 'owner']);
  const state = REQUEST_FILTERS.find((item) => item === chosenFilters.state) ?? 'current';
  const isMine = chosenFilters.owner === 'me';
  return (
    <PracticePage title="Client requests" lead="What you’ve asked your clients for. To send a request, open a client and go to Documents.">
      <Stack gap={16}>
        <Row role="group" aria-label="Filters" gap={8}>
          <FilterPill
            label="Status"
            value={state === 'current' ? undefined : state}
            unsetLabel={`Status: ${REQUEST_FILTER_NAMES.current.toLowerCase()}`}
            options={REQUEST_FILTERS.filter((item) => item !== 'current').map((value) => ({ value, label: REQUEST_FILTER_NAMES[value] }))}
            onSelect={(value) => change({ state: value })}
          />
          <FilterPill
            label="Sent by"
            value={isMine ? 'me' : undefined}
            unsetLabel="Sent by: everyone"
            options={[{ value: 'me', label: 'Sent by you' }]}
            onSelect={(value) => change({ owner: value })}
          />
        </Row>
        <RequestList companyId={companyId} filters={{ state, isMine }} onClear={() => change({ state: undefined, owner: undefined })} />
      </Stack>
    </PracticePage>
  );
}

function RequestList({ companyId, filters, onClear }: { companyId: string; filters: Filters; onClear: () => void }) {
  const query = useRequestPages(companyId, filters);
  const isFiltered = filters.state !== 'current' || filters.isMine;
  return (
    <LoadState query={query} skeleton={<TableSkeleton />}>
      {({ pages }) => {
        const requests = pages.flatMap((page) => page.requests);
        const [first] = pages;
        if (requests.length === 0 || first === undefined) {
          return (
            <EmptyState
              framed
              illustration={<NothingToReviewIllustration />}
              title={isFiltered ? 'No requests match' : 'No open requests'}
              text={
                isFiltered
                  ? 'Clear the filters to see other requests.'
                  : 'Open a client and go to Documents to request documents or information.'
              }
            >
              {isFiltered ? (
                <Button variant="outlined" onClick={onClear}>
                  Clear filters
                </Button>
              ) : (
                <Button to={getPageLink('practiceClients', { company_id: companyId })}>Go to clients</Button>
              )}
            </EmptyState>
          );
        }
        return (
          <Stack gap={16}>
            <SectionCard>
              <Requests companyId={companyId} requests={requests} today={first.today} />
            </SectionCard>
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

/** The key starts like that of every other query of the endpoint, so that they are invalidated together. */
function useRequestPages(companyId: string, { state, isMine }: Filters) {
  const input = { company_id: companyId, state, ...(isMine ? { owner: 'me' as const } : {}), limit: 50 };
  return useInfiniteQuery<RequestPage, ApiError, { pages: RequestPage[] }, readonly unknown[], string | undefined>({
    queryKey: [clientRequestsApi.listAll.path, input, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      apiRequest(clientRequestsApi.listAll, { ...input, ...(pageParam === undefined ? {} : { cursor: pageParam }) }, { signal }),
    initialPageParam: undefined,
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
    enabled: companyId !== '',
  });
}
type RequestPage = EndpointOutput<typeof clientRequestsApi.listAll>;

type RequestsProps = { companyId: string; requests: readonly ListedRequest[]; today: PlainDate };

function Requests({ companyId, requests, today }: RequestsProps) {
  return (
    <RecordTable
      label="Client requests"
      rows={requests}
      getKey={(request) => request.request_id}
      cardsAt={TOO_NARROW_FOR_ACTIONS}
      columns={[
        {
          title: 'Request',
          cell: (request) => (
            <>
              <TextLink to={getPageLink('clientDashboard', { company_id: companyId, client_id: request.client_id, tab: 'papers' })}>
                {request.title}
              </TextLink>
              <Text size="small" tone="quiet">
                {formatAnsweredCount(request)}
              </Text>
            </>
          ),
        },
        { title: 'Client', cell: ({ client }) => client },
        { title: 'Status', cell: ({ state }) => <StateChip {...REQUEST_CHIPS[state]} /> },
        { title: 'Due', cell: (request) => <Due request={request} today={today} /> },
        { title: 'Sent', cell: (request) => <DateText date={toLondonDate(request.asked_at)} style="short" /> },
        { title: 'Last reminder', cell: ({ reminded_on: day }) => (day === null ? 'None' : <DateText date={day} style="short" />) },
        { title: 'Sent by', cell: (request) => request.asked_by },
      ]}
    />
  );
}

const formatAnsweredCount = ({ items, waiting_items: waitingItems }: ListedRequest): string =>
  `${items - waitingItems} of ${items} answered`;

function Due({ request: { due_on: dueOn, state }, today }: { request: ListedRequest; today: PlainDate }) {
  const isOverdue = state === 'open' && dueOn < today;
  return (
    <Text as="span" tone={isOverdue ? 'error' : undefined} weight={isOverdue ? 'medium' : 'regular'}>
      <DateText date={dueOn} style="short" />
      {isOverdue && ' (overdue)'}
    </Text>
  );
}
