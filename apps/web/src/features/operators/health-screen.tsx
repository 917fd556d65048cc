/** Shows whether the providers respond: the last success and failure of our own requests, and HMRC's response about nightly refreshes. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { operationsApi } from '@portal/contract/operations.ts';
import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { InstantText } from '../../components/formats/date-text.tsx';
import { apiQuery } from '../../lib/api.ts';
import { CARD_LAYOUT_QUERY, useMediaQuery } from '../../lib/use-media-query.ts';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { RecordCards } from '../../ui/record-cards.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Table, TableHead } from '../../ui/table.tsx';
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

function ProviderTable({ providers }: { providers: readonly ProviderHealth[] }) {
  const showsCards = useMediaQuery(CARD_LAYOUT_QUERY);
  if (showsCards) {
    return (
      <RecordCards
        label="Providers"
        cards={providers.map((provider) => ({
          key: provider.provider,
          title: provider.name,
          facts: [
            { label: 'Status', value: <StateChip {...getChip(provider)} /> },
            { label: 'Last success', value: provider.last_success_at ? <InstantText at={provider.last_success_at} /> : '–' },
            { label: 'Last failure', value: provider.last_failure_at ? <InstantText at={provider.last_failure_at} /> : '–' },
            { label: 'What failed', value: provider.last_failure ?? '–' },
          ],
        }))}
      />
    );
  }
  return (
    <Table label="Providers" dense flush>
      <TableHead columns={['Provider', 'Status', 'Last success', 'Last failure', 'What failed']} />
      <tbody>
        {providers.map((provider) => (
          <tr key={provider.provider}>
            <th scope="row">{provider.name}</th>
            <td>
              <StateChip {...getChip(provider)} />
            </td>
            <td data-nowrap>{provider.last_success_at ? <InstantText at={provider.last_success_at} /> : '–'}</td>
            <td data-nowrap>{provider.last_failure_at ? <InstantText at={provider.last_failure_at} /> : '–'}</td>
            <td>{provider.last_failure ?? '–'}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
