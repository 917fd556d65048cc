/** Shows what a current or former member was able to see and what they did. Created from the audit trail each time it is opened. */
import { getSettingsPath } from '@portal/contract/practice.ts';
import { teamApi } from '@portal/contract/team.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { PERMISSION_NAMES } from '@portal/domain/team/permissions.ts';
import { useQuery } from '@tanstack/react-query';
import { PracticePage } from '../../components/practice/practice-page.tsx';
import { InstantText } from '../../components/formats/date-text.tsx';
import { apiQuery } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { formatClientCount } from '../../lib/client-labels.ts';
import { useSearchParams } from '../../lib/search-params.ts';
import { Button } from '../../ui/button.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';

type AccessReport = EndpointOutput<typeof teamApi.accessReport>;

export function MemberAccessReportScreen() {
  const { companyId } = useCompanyId();
  const [search] = useSearchParams();
  const userId = search.get('user_id') ?? '';
  const query = useQuery({
    ...apiQuery(teamApi.accessReport, { company_id: companyId, user_id: userId }),
    enabled: companyId !== '' && userId !== '',
  });
  const team = `${getSettingsPath('team')}?${new URLSearchParams({ company_id: companyId })}`;
  return (
    <PracticePage
      title={query.data ? `Access report: ${query.data.full_name}` : 'Access report'}
      lead={<TextLink to={team}>Back to the team</TextLink>}
      actions={
        query.data && (
          <Button variant="outlined" onClick={() => window.print()}>
            Print
          </Button>
        )
      }
    >
      {userId === '' && (
        <Notice tone="warning" title="Team member not found">
          This link doesn’t include a team member. Open the report from the team.
        </Notice>
      )}
      {userId !== '' && (
        <LoadState query={query} skeleton={<CardSkeleton lines={6} />}>
          {(report) => (
            <Stack gap={24}>
              <Access report={report} />
              <Clients report={report} />
              <Actions report={report} />
            </Stack>
          )}
        </LoadState>
      )}
    </PracticePage>
  );
}

function Access({ report }: { report: AccessReport }) {
  const { status, role, permissions, joined_at: joinedAt, left_at: leftAt } = report;
  return (
    <SectionCard title="Access">
      <FactList
        facts={[
          { label: 'Email', value: report.email },
          { label: 'Role', value: role === 'admin' ? 'Admin' : 'Team member' },
          {
            label: 'Permissions',
            value:
              role === 'admin' ? 'All' : permissions.map((permission) => PERMISSION_NAMES[permission]).join(', ') || 'No extra permissions',
          },
          { label: 'Joined', value: <InstantText at={joinedAt} /> },
          { label: 'Left', value: leftAt === null ? status === 'active' ? 'Still has access' : 'Unknown' : <InstantText at={leftAt} /> },
        ]}
      />
    </SectionCard>
  );
}

function Clients({ report }: { report: AccessReport }) {
  const { saw_all_clients: sawAll, clients, clients_total: total } = report;
  return (
    <SectionCard
      title={sawAll ? 'Clients assigned to them' : 'Clients they could see'}
      source={total > clients.length ? `The latest ${clients.length.toLocaleString('en-GB')} of ${formatClientCount(total)}.` : undefined}
    >
      <Stack gap={16}>
        {sawAll && (
          <Text>While they were an admin, they could see every client in the practice, whether or not it was assigned to them.</Text>
        )}
        {clients.length === 0 ? (
          <Text tone="quiet">No clients were ever assigned to them.</Text>
        ) : (
          <RecordTable
            label="Clients"
            rows={clients}
            getKey={(client) => client.client_id}
            columns={[
              { title: 'Client', cell: ({ name }) => name ?? 'Removed client' },
              { title: 'From', cell: ({ from }) => <InstantText at={from} /> },
              { title: 'Until', cell: ({ until }) => (until === null ? 'Now' : <InstantText at={until} />) },
            ]}
          />
        )}
      </Stack>
    </SectionCard>
  );
}

function Actions({ report }: { report: AccessReport }) {
  const { actions, entries, entries_total: total } = report;
  if (total === 0) {
    return (
      <SectionCard title="What they did">
        <Text tone="quiet">Nothing recorded.</Text>
      </SectionCard>
    );
  }
  return (
    <>
      <SectionCard title="What they did">
        <RecordTable
          label="Actions"
          rows={actions}
          getKey={({ action }) => action}
          columns={[
            { title: 'Action', cell: ({ action }) => describeAction(action) },
            { title: 'Times', layout: 'numeric', cell: ({ count }) => count.toLocaleString('en-GB') },
            { title: 'Last', cell: ({ last_at: lastAt }) => <InstantText at={lastAt} /> },
          ]}
        />
      </SectionCard>
      <SectionCard
        title="Latest entries"
        source={
          total > entries.length
            ? `The latest ${entries.length} of ${total.toLocaleString('en-GB')} entries in the audit trail.`
            : undefined
        }
      >
        <RecordTable
          label="Latest entries"
          rows={entries.map((entry, index) => ({ ...entry, index }))}
          getKey={({ index }) => String(index)}
          columns={[
            { title: 'Action', cell: ({ action }) => describeAction(action) },
            { title: 'When', layout: 'nowrap', cell: ({ at }) => <InstantText at={at} /> },
            { title: 'Client', cell: ({ client }) => client },
            { title: 'IP address', cell: ({ ip }) => ip || null },
          ]}
        />
      </SectionCard>
    </>
  );
}

/** Describes an action from the audit log: "clients.handed_over" becomes "Clients: handed over". */
function describeAction(action: string): string {
  const [subject = '', ...rest] = action.replaceAll('_', ' ').split('.');
  const name = subject.replace(/^./, (letter) => letter.toUpperCase());
  return rest.length === 0 ? name : `${name}: ${rest.join(', ')}`;
}
