/** All invitations to the client portal, newest first, with search, counts by status, and page-by-page loading. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { invitationRunsApi, type InvitationRow } from '@portal/contract/invitation-runs.ts';
import { INVITATION_STATES, type InvitationState } from '@portal/domain/clients/invitation-state.ts';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { InstantText } from '../../components/formats/date-text.tsx';
import { INVITATION_CHIPS } from '../../components/invitations/invitation-chips.ts';
import { apiRequest, type ApiError } from '../../lib/api.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { TOO_NARROW_FOR_ACTIONS } from '../../lib/use-media-query.ts';
import { useUrlFilters } from '../../lib/use-url-filters.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilterPill } from '../../ui/filter-pill.tsx';
import { NothingToReviewIllustration } from '../../ui/illustrations.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { ListSearch } from '../../ui/list-search.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';

type InvitationPage = EndpointOutput<typeof invitationRunsApi.states>;

export function InvitationList({ companyId }: { companyId: string }) {
  const { filters, change, clear } = useUrlFilters(['state', 'q']);
  const state = INVITATION_STATES.find((one) => one === filters.state);
  const { q = '' } = filters;
  const query = useInvitationPages(companyId, state, q);
  return (
    <LoadState query={query} skeleton={<TableSkeleton />}>
      {({ pages }) => {
        const counts = pages[0]?.counts;
        const total = counts ? INVITATION_STATES.reduce((sum, one) => sum + counts[one], 0) : 0;
        const foundCountText = (counts && state !== undefined ? counts[state] : total).toLocaleString('en-GB');
        const rows = pages.flatMap((page) => page.rows);
        if (total === 0 && q === '') return <NoInvitations companyId={companyId} />;
        return (
          <SectionCard title="All invitations">
            <Stack>
              <Row role="group" aria-label="Filters" gap={8}>
                <ListSearch label="Search invitations" hint="By client or email" text={q} onSearch={(text) => change({ q: text })} />
                <FilterPill
                  label="Status"
                  value={state}
                  unsetLabel={`All statuses (${total.toLocaleString('en-GB')})`}
                  options={INVITATION_STATES.map((value) => ({
                    value,
                    label: `${INVITATION_CHIPS[value].label} (${(counts?.[value] ?? 0).toLocaleString('en-GB')})`,
                  }))}
                  onSelect={(value) => change({ state: value })}
                />
                <TextLink to={getPageLink('practiceClients', { company_id: companyId, status: 'in_hand', invitation: 'none' })}>
                  Clients not invited yet
                </TextLink>
              </Row>
              <Text size="small" tone="quiet" role="status">
                {rows.length.toLocaleString('en-GB')} of {foundCountText} shown, newest first
              </Text>
              {rows.length === 0 ? (
                <EmptyState
                  illustration={<NothingToReviewIllustration />}
                  title="No invitations match"
                  text="Change the search or the status to see other invitations."
                >
                  <Button variant="outlined" onClick={clear}>
                    Clear filters
                  </Button>
                </EmptyState>
              ) : (
                <Invitations companyId={companyId} rows={rows} />
              )}
              {query.hasNextPage && (
                <Button variant="outlined" onClick={() => void query.fetchNextPage()} isBusy={query.isFetchingNextPage}>
                  Show more
                </Button>
              )}
            </Stack>
          </SectionCard>
        );
      }}
    </LoadState>
  );
}

/** The query key starts like that of every call to the endpoint, so that they are invalidated together. */
function useInvitationPages(companyId: string, state: InvitationState | undefined, q: string) {
  const input = { company_id: companyId, ...(state === undefined ? {} : { state }), ...(q === '' ? {} : { q }), limit: 50 };
  return useInfiniteQuery<InvitationPage, ApiError, { pages: InvitationPage[] }, readonly unknown[], string | undefined>({
    queryKey: [invitationRunsApi.states.path, input, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      apiRequest(invitationRunsApi.states, { ...input, ...(pageParam === undefined ? {} : { cursor: pageParam }) }, { signal }),
    initialPageParam: undefined,
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    enabled: companyId !== '',
  });
}

function NoInvitations({ companyId }: { companyId: string }) {
  return (
    <SectionCard title="All invitations">
      <EmptyState
        illustration={<NothingToReviewIllustration />}
        title="No invitations yet"
        text="Select clients in the list and choose “Invite to portal”."
      >
        <Button to={getPageLink('practiceClients', { company_id: companyId })}>Go to clients</Button>
      </EmptyState>
    </SectionCard>
  );
}

function Invitations({ companyId, rows }: { companyId: string; rows: readonly InvitationRow[] }) {
  return (
    <RecordTable
      label="Invitations"
      rows={rows}
      getKey={(row) => row.invitation_id}
      cardsAt={TOO_NARROW_FOR_ACTIONS}
      columns={[
        {
          title: 'Client',
          cell: ({ client_id: id, name }) => (
            <TextLink to={getPageLink('clientDashboard', { company_id: companyId, client_id: id, tab: 'people' })}>{name}</TextLink>
          ),
        },
        { title: 'Email', cell: ({ email }) => email },
        { title: 'Status', cell: ({ state }) => <StateChip {...INVITATION_CHIPS[state]} /> },
        { title: 'Sent', cell: ({ sent_at: at }) => at && <InstantText at={at} /> },
        { title: 'Link expires', cell: ({ expires_at: at }) => at && <InstantText at={at} /> },
      ]}
    />
  );
}
