import { invitationRunsApi, type InvitationRun } from '@portal/contract/invitation-runs.ts';
import { useQuery } from '@tanstack/react-query';
import { InstantText } from '../../components/formats/date-text.tsx';
import { apiQuery } from '../../lib/api.ts';
import { formatClientCount } from '../../lib/client-labels.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { LineSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { describeRun, POLL_MS } from './run-labels.ts';

/** The latest bulk invitation runs. */
export function InvitationRuns({ companyId }: { companyId: string }) {
  const query = useQuery({
    ...apiQuery(invitationRunsApi.list, { company_id: companyId }),
    refetchInterval: ({ state }) => (state.data?.runs.some((run) => run.state === 'running') ? POLL_MS : false),
  });
  return (
    <LoadState query={query} skeleton={<LineSkeleton width="80%" height={20} />}>
      {({ runs }) =>
        runs.length === 0 ? null : (
          <SectionCard title="Bulk invitations">
            <Stack as="ul" gap={16}>
              {runs.map((run) => (
                <RunItem key={run.run_id} companyId={companyId} run={run} />
              ))}
            </Stack>
          </SectionCard>
        )
      }
    </LoadState>
  );
}

function RunItem({ companyId, run }: { companyId: string; run: InvitationRun }) {
  return (
    <Stack as="li" gap={4}>
      <TextLink to={getPageLink('clientInvitations', { company_id: companyId, run_id: run.run_id })}>
        {formatClientCount(run.total)}
      </TextLink>
      <Text size="small">{describeRun(run)}</Text>
      <Text size="small" tone="quiet">
        {run.started_by}, <InstantText at={run.started_at} />
      </Text>
    </Stack>
  );
}
