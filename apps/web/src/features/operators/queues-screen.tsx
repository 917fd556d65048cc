/** What operators need to act on: advances by queue, reconciliation exceptions, exposure and failed jobs. */
import { operatorsApi } from '@portal/contract/operators.ts';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from '../../lib/search-params.ts';
import { apiQuery } from '../../lib/api.ts';
import { FilterChips } from '../../ui/filter-chips.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NothingToReviewIllustration } from '../../ui/illustrations.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { AdvanceTable } from './advance-table.tsx';
import { ApprovalsCard } from './approvals-card.tsx';
import { BatchHeadersCard } from './batch-headers-card.tsx';
import { ExposureCard } from './exposure-card.tsx';
import { FailedJobsCard } from './failed-jobs-card.tsx';
import { ExceptionsCard } from './exceptions-card.tsx';
import type { Queues } from './operator-outputs.ts';

const REFRESH_MS = 15_000;
const QUERY_NAME = 'queue';

const QUEUES = [
  { queue: 'review', label: 'To review', empty: 'No advances to review.' },
  { queue: 'release', label: 'To release', empty: 'No payouts to release.' },
  { queue: 'trouble', label: 'Exceptions', empty: 'No advances with exceptions.' },
  { queue: 'running', label: 'In progress', empty: 'No advances in progress.' },
  { queue: 'ended', label: 'Closed', empty: 'No closed advances yet.' },
] as const;

export function QueuesScreen() {
  const query = useQuery({ ...apiQuery(operatorsApi.queues, {}), refetchInterval: REFRESH_MS });
  return (
    <Page title="Queues" maxWidth="full">
      <LoadState query={query}>{(data) => <QueueLists data={data} />}</LoadState>
    </Page>
  );
}

function QueueLists({ data }: { data: Queues }) {
  const [search] = useSearchParams();
  const chosen = QUEUES.find(({ queue }) => queue === search.get(QUERY_NAME));
  const needingAction = data.advances.filter(({ queue }) => queue === 'review' || queue === 'release' || queue === 'trouble');
  // Without a filter, operators see the queues that need action. The rest is one click away.
  const shown = chosen ? data.advances.filter(({ queue }) => queue === chosen.queue) : needingAction;
  return (
    <Stack gap={24}>
      <SectionCard title={chosen ? `Advances: ${chosen.label.toLowerCase()}` : 'Advances that need action'}>
        <FilterChips
          label="Queues"
          name={QUERY_NAME}
          selected={chosen?.queue}
          all={{ label: 'Needs action', count: needingAction.length }}
          options={QUEUES.map(({ queue, label }) => ({
            value: queue,
            label,
            count: data.advances.filter((advance) => advance.queue === queue).length,
          }))}
        />
        {shown.length === 0 ? (
          <EmptyState
            illustration={<NothingToReviewIllustration />}
            title="Nothing to review"
            text={chosen?.empty ?? 'New items appear here automatically.'}
          />
        ) : (
          <AdvanceTable advances={shown} />
        )}
      </SectionCard>
      <ApprovalsCard />
      <ExceptionsCard />
      <ExposureCard data={data} />
      <FailedJobsCard jobs={data.failed_jobs} />
      <BatchHeadersCard />
    </Stack>
  );
}
