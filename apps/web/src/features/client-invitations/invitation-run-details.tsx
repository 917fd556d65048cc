/** One run of invitations: its progress, a pause button, and the decisions it needs. */
import { invitationRunsApi, type InvitationRun, type InvitedClient } from '@portal/contract/invitation-runs.ts';
import { canReinvite } from '@portal/domain/invitation-runs/invitation-run.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { Button } from '../../ui/button.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Progress } from '../../ui/progress-bar.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { describeRun, INVITED_CHIPS, POLL_MS } from './run-labels.ts';

export function InvitationRunDetails({ companyId, runId }: { companyId: string; runId: string }) {
  const query = useQuery({
    ...apiQuery(invitationRunsApi.details, { company_id: companyId, run_id: runId }),
    refetchInterval: ({ state }) => (state.data?.run.state === 'running' ? POLL_MS : false),
  });
  return (
    <LoadState query={query} skeleton={<TableSkeleton />}>
      {({ run, clients }) => (
        <Stack>
          <RunProgress companyId={companyId} run={run} />
          <SectionCard title="Clients">
            {run.total > clients.length && <Text size="small">The first {clients.length}, starting with those needing attention:</Text>}
            <RecordTable
              label="Invited clients"
              rows={clients}
              getKey={(client) => client.client_id}
              columns={[
                {
                  title: 'Client',
                  cell: ({ client_id: id, name }) => (
                    <TextLink to={getPageLink('clientDashboard', { company_id: companyId, client_id: id, tab: 'people' })}>{name}</TextLink>
                  ),
                },
                { title: 'Email', cell: ({ email }) => email },
                {
                  title: 'Outcome',
                  cell: ({ status, reason }) => (
                    <>
                      <StateChip {...INVITED_CHIPS[status]} />
                      {reason !== null && <Text size="small">{reason}</Text>}
                    </>
                  ),
                },
                { title: 'Action', layout: 'action', cell: (client) => <SendAgain companyId={companyId} runId={runId} client={client} /> },
              ]}
            />
          </SectionCard>
        </Stack>
      )}
    </LoadState>
  );
}

function useInvalidateRuns() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ predicate: ({ queryKey: [path] }) => String(path).startsWith(invitationRunsApi.list.path) });
}

function RunProgress({ companyId, run }: { companyId: string; run: InvitationRun }) {
  const invalidate = useInvalidateRuns();
  const pause = useMutation({
    mutationFn: () =>
      apiRequest(invitationRunsApi.pause, { company_id: companyId, run_id: run.run_id, is_paused: run.state === 'running' }),
    onSettled: invalidate,
  });
  const doneCount = run.total - run.counts.queued - run.counts.sending;
  return (
    <SectionCard>
      <Stack align="start">
        <Text role="status">{describeRun(run)}</Text>
        <Progress label="Invitations" percent={run.total === 0 ? 100 : (100 * doneCount) / run.total} />
        {run.state !== 'ended' && (
          <Button size="small" variant="outlined" isBusy={pause.isPending} onClick={() => pause.mutate()}>
            {run.state === 'running' ? 'Pause' : 'Continue'}
          </Button>
        )}
        {pause.error !== null && (
          <Text role="alert" tone="error">
            {getErrorText(pause.error)}
          </Text>
        )}
      </Stack>
    </SectionCard>
  );
}

function SendAgain({ companyId, runId, client }: { companyId: string; runId: string; client: InvitedClient }) {
  const { client_id: id, name, status } = client;
  const invalidate = useInvalidateRuns();
  const repeat = useMutation({
    mutationFn: () => apiRequest(invitationRunsApi.repeat, { company_id: companyId, run_id: runId, client_id: id }),
    onSettled: invalidate,
  });
  return (
    <>
      {canReinvite(status) && (
        <Button size="small" variant="outlined" isBusy={repeat.isPending} onClick={() => repeat.mutate()}>
          Send again<HiddenText> to {name}</HiddenText>
        </Button>
      )}
      {repeat.error !== null && (
        <Text role="alert" tone="error">
          {getErrorText(repeat.error)}
        </Text>
      )}
    </>
  );
}
