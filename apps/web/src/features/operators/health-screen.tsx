/** Shows whether the providers respond: the last success and failure of our own requests, and HMRC's response about nightly refreshes. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { operationsApi } from '@portal/contract/operations.ts';
import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { InstantText } from '../../components/formats/date-text.tsx';
import { apiQuery } from '../../lib/api.ts';
import { TOO_NARROW_FOR_ACTIONS } from '../../lib/use-media-query.ts';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { BatchHeadersCard } from './batch-headers-card.tsx';

const REFRESH_MS = 15_000;
/** The number of consecutive failures from which a provider counts as down. A single failure is often a user's expired permission. */
const FAILING_AFTER = 3;

type ProviderHealth = EndpointOutput<typeof operationsApi.health>['providers'][number];

function getChip({
  last_success_at: lastSuccessAt,
  last_failure_at: failure,
  failures_in_a_row: failures,
}: ProviderHealth): ComponentProps<typeof StateChip> {
  if (failures >= FAILING_AFTER) return { label: `Failing: ${failures} failures in a row`, icon: 'errorCircle', tone: 'error' };
  if (failures > 0) return { label: 'Last call failed', icon: 'warning', tone: 'warning' };
  if (lastSuccessAt !== null) return { label: 'Working', icon: 'checkCircle', tone: 'success' };
  return { label: failure === null ? 'No calls yet' : 'Unknown', icon: 'clock', tone: 'info' };
}

export function HealthScreen() {
  const query = useQuery({ ...apiQuery(operationsApi.health, {}), refetchInterval: REFRESH_MS });
  return (
    <Page title="Health" maxWidth="full">
      <Stack gap={24}>
        <LoadState query={query}>
          {({ providers, now }) => (
            <SectionCard
              title="Providers"
              source={
                <>
                  Based on our own calls, across all instances. As of <InstantText at={now} />. A rejected permission also counts as a
                  failure.
                </>
              }
            >
              <ProviderTable providers={providers} />
            </SectionCard>
          )}
        </LoadState>
        <BatchHeadersCard />
      </Stack>
    </Page>
  );
}

/** What failed is a sentence, which a narrow table hides or squeezes. */
function ProviderTable({ providers }: { providers: readonly ProviderHealth[] }) {
  return (
    <RecordTable
      label="Providers"
      rows={providers}
      getKey={({ provider }) => provider}
      cardsAt={TOO_NARROW_FOR_ACTIONS}
      columns={[
        { title: 'Provider', cell: ({ name }) => name },
        { title: 'Status', cell: (provider) => <StateChip {...getChip(provider)} /> },
        { title: 'Last success', layout: 'nowrap', cell: ({ last_success_at: at }) => (at ? <InstantText at={at} /> : null) },
        { title: 'Last failure', layout: 'nowrap', cell: ({ last_failure_at: at }) => (at ? <InstantText at={at} /> : null) },
        { title: 'What failed', cell: ({ last_failure: failure }) => failure },
      ]}
    />
  );
}
