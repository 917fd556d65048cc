/** Invitations to the clients' portal: how many are in which state, and the runs that invited many at once. */
import { invitationRunsApi } from '@portal/contract/invitation-runs.ts';
import { INVITATION_STATES } from '@portal/domain/clients/invitation-state.ts';
import { useQuery } from '@tanstack/react-query';
import { InstantText } from '../../components/formats/date-text.tsx';
import { INVITATION_CHIPS } from '../../components/invitations/invitation-chips.ts';
import { NoPracticeCard } from '../../components/practice/no-practice-card.tsx';
import { PracticeNav } from '../../components/practice/practice-nav.tsx';
import { apiQuery } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { pageLink } from '../../lib/page-link.ts';
import { useSearchParams } from '../../lib/search-params.ts';
import { usePermission } from '../../lib/use-permission.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilterPill } from '../../ui/filter-pill.tsx';
import { NothingToReviewIllustration } from '../../ui/illustrations.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Table, TableHead } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { InvitationRunDetails } from './invitation-run-details.tsx';
import { InvitationRuns } from './invitation-runs.tsx';

export function ClientInvitationsScreen() {
  const { companyId, settled } = useCompanyId();
  const runId = useSearchParams()[0].get('run_id');
  const mayInvite = usePermission(companyId, 'invite_clients');
  if (settled && companyId === '') return <NoPracticeCard title="Invitations" />;
  const all = <TextLink to={pageLink('clientInvitations', { company_id: companyId })}>All invitations</TextLink>;
  return (
    <Page
      title="Invitations"
      lead={runId === null ? 'Who you’ve invited to the clients’ portal.' : all}
      before={<PracticeNav companyId={companyId} />}
    >
      {!mayInvite ? (
        <Notice tone="info" title="Inviting clients needs a permission">
          You need the “Invite clients” permission for this page. Ask an admin of your practice.
        </Notice>
      ) : runId === null ? (
        <Stack>
          <InvitationStates companyId={companyId} />
          <InvitationRuns companyId={companyId} />
        </Stack>
      ) : (
        <InvitationRunDetails companyId={companyId} runId={runId} />
      )}
    </Page>
  );
}

function InvitationStates({ companyId }: { companyId: string }) {
  const [params, setParams] = useSearchParams();
  const state = INVITATION_STATES.find((one) => one === params.get('state'));
  const query = useQuery(apiQuery(invitationRunsApi.states, { company_id: companyId, ...(state === undefined ? {} : { state }) }));
  return (
    <LoadState query={query} skeleton={<TableSkeleton />}>
      {({ counts, rows }) => {
        const total = INVITATION_STATES.reduce((sum, one) => sum + counts[one], 0);
        const shownOf = state === undefined ? total : counts[state];
        const options = INVITATION_STATES.map((value) => ({
          value,
          label: `${INVITATION_CHIPS[value].label} (${counts[value].toLocaleString('en-GB')})`,
        }));
        return (
          <SectionCard title="By status">
            {total === 0 ? (
              <EmptyState
                illustration={<NothingToReviewIllustration />}
                title="No invitations yet"
                text="Select clients in the list and choose “Invite to portal”."
              >
                <Button to={pageLink('practiceClients', { company_id: companyId })}>Go to clients</Button>
              </EmptyState>
            ) : (
              <Stack>
                <div>
                  <FilterPill
                    label="Status"
                    value={state}
                    unset={`All statuses (${total.toLocaleString('en-GB')})`}
                    options={options}
                    onSelect={(value) => setParams({ company_id: companyId, ...(value === undefined ? {} : { state: value }) })}
                  />
                </div>
                {shownOf > rows.length && <Text size="small">The newest {rows.length}:</Text>}
                <Table label="Invitations" flush>
                  <TableHead columns={['Client', 'Email', 'Status', 'Sent', 'Link ends']} />
                  <tbody>
                    {rows.map(({ client_id: id, name, email, state: own, sent_at: sentAt, expires_at: endsAt }) => (
                      <tr key={`${id} ${email} ${sentAt}`}>
                        <th scope="row">
                          <TextLink to={pageLink('clientDashboard', { company_id: companyId, client_id: id, tab: 'people' })}>
                            {name}
                          </TextLink>
                        </th>
                        <td>{email}</td>
                        <td>
                          <StateChip {...INVITATION_CHIPS[own]} />
                        </td>
                        <td>{sentAt === null ? '–' : <InstantText at={sentAt} />}</td>
                        <td>{endsAt === null ? '–' : <InstantText at={endsAt} />}</td>
                      </tr>
                    ))}
                  </tbody>
                </Table>
              </Stack>
            )}
          </SectionCard>
        );
      }}
    </LoadState>
  );
}
