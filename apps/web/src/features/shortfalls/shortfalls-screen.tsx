/** Open cases: refunds that are late or short, with the owner and the next action of each. Those that wait for us come first. */
import { shortfallsApi } from '@portal/contract/shortfalls.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { pageLink } from '../../lib/page-link.ts';
import { MoneyText } from '../../components/formats/money-text.tsx';
import { CAUSE_LABELS, SHORTFALL_CHIPS } from '../../components/shortfalls/shortfall-labels.ts';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Table } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { ACTING_PARTY_LABELS } from './acting-party-labels.ts';

const REFRESH_MS = 15_000;

type Shortfalls = EndpointOutput<typeof shortfallsApi.operatorList>;

export function ShortfallsScreen() {
  const query = useQuery({ ...apiQuery(shortfallsApi.operatorList, {}), refetchInterval: REFRESH_MS });
  return (
    <Page title="Shortfalls" maxWidth="full">
      <LoadState query={query}>{(data) => <OpenCases data={data} />}</LoadState>
    </Page>
  );
}

function OpenCases({ data }: { data: Shortfalls }) {
  const { shortfalls, count } = data;
  return (
    <SectionCard title={count === 0 ? 'Open cases' : `Open cases (${count})`}>
      {count === 0 ? (
        <Text>No open cases. Every refund has been repaid in full or isn’t late yet.</Text>
      ) : (
        <Table label="Open cases" dense flush>
          <thead>
            <tr>
              <th scope="col">Company</th>
              <th scope="col">Status</th>
              <th scope="col">Cause</th>
              <th scope="col" data-numeric>
                Missing
              </th>
              <th scope="col">Next action</th>
              <th scope="col">By</th>
              <th scope="col">Owner</th>
            </tr>
          </thead>
          <tbody>
            {shortfalls.map((item) => (
              <tr key={item.shortfall_id}>
                <th scope="row">
                  <TextLink to={pageLink('adminShortfall', { company_id: item.company_id, shortfall_id: item.shortfall_id })}>
                    {item.company_name}
                  </TextLink>
                </th>
                <td>
                  <StateChip {...SHORTFALL_CHIPS[item.status]} />
                </td>
                <td>{CAUSE_LABELS[item.cause]}</td>
                <td data-numeric>
                  <MoneyText pence={item.missing_pence} size="table" />
                </td>
                <td>{item.next_action ? `${ACTING_PARTY_LABELS[item.next_action.by]}: ${item.next_action.text}` : 'None'}</td>
                <td data-nowrap>{item.next_action?.due_on ? formatDate(item.next_action.due_on, 'short') : 'No date'}</td>
                <td>{item.owner ?? 'Unassigned'}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      {shortfalls.length < count && (
        <Text size="small" tone="quiet">
          Showing the oldest {shortfalls.length} of {count}. Resolve some to see the next.
        </Text>
      )}
    </SectionCard>
  );
}
