/** Refunds that are late or short, with the owner and next action of each. Those that need our action come first. */
import { SHORTFALL_LISTS, shortfallsApi } from '@portal/contract/shortfalls.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { TOO_NARROW_FOR_ACTIONS } from '../../lib/use-media-query.ts';
import { useUrlFilters } from '../../lib/use-url-filters.ts';
import { MoneyText } from '../../components/formats/money-text.tsx';
import { CAUSE_LABELS, SHORTFALL_CHIPS } from '../../components/shortfalls/shortfall-labels.ts';
import { FilterPill } from '../../ui/filter-pill.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { ListSearch } from '../../ui/list-search.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { PillTabs } from '../../ui/pill-tabs.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { ACTING_PARTY_LABELS } from './acting-party-labels.ts';

const REFRESH_MS = 15_000;

type Shortfalls = EndpointOutput<typeof shortfallsApi.operatorList>;
type ShortfallList = (typeof SHORTFALL_LISTS)[number];

const LISTS: readonly { readonly key: ShortfallList; readonly label: string; readonly isEmpty: string }[] = [
  { key: 'open', label: 'Open', isEmpty: 'No open cases. Every refund has been repaid in full or isn’t late yet.' },
  { key: 'needs_us', label: 'Needs action', isEmpty: 'No cases need action. New cases appear automatically.' },
  { key: 'due', label: 'Due', isEmpty: 'No trader owes us a shortfall.' },
  { key: 'disputed', label: 'Disputed', isEmpty: 'No open disputes.' },
  { key: 'watching', label: 'Watching', isEmpty: 'No refund is late, and HMRC’s figures suggest no shortfall.' },
  { key: 'ended', label: 'Ended', isEmpty: 'No cases have ended yet.' },
];
const OWNER_OPTIONS = [
  { value: 'me', label: 'Me' },
  { value: 'nobody', label: 'Unassigned' },
];

export function ShortfallsScreen() {
  const { filters, change, page } = useUrlFilters(['show', 'owner', 'q']);
  const show = SHORTFALL_LISTS.find((list) => list === filters.show) ?? 'open';
  const owner = (['me', 'nobody'] as const).find((value) => value === filters.owner);
  const { q } = filters;
  const input = { show, page, ...(owner === undefined ? {} : { owner }), ...(q === undefined ? {} : { q }) };
  const query = useQuery({
    ...apiQuery(shortfallsApi.operatorList, input),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  const counts: Readonly<Partial<Record<ShortfallList, number>>> = query.data?.counts ?? {};
  const otherParams = { ...(owner === undefined ? {} : { owner }), ...(q === undefined ? {} : { q }) };
  return (
    <Page
      title="Shortfalls"
      maxWidth="full"
      actions={
        <Row gap={8}>
          <ListSearch
            label="Search shortfalls"
            hint="By company, VAT number or payment reference"
            text={q ?? ''}
            onSearch={(text) => change({ q: text })}
          />
          <FilterPill label="Owner" value={owner} options={OWNER_OPTIONS} onSelect={(value) => change({ owner: value })} />
        </Row>
      }
    >
      <Stack>
        <PillTabs
          label="Shortfalls"
          current={show}
          tabs={LISTS.map(({ key, label }) => ({
            key,
            label: counts[key] === undefined ? label : `${label} (${counts[key].toLocaleString('en-GB')})`,
            to: getPageLink('adminShortfalls', { ...(key === 'open' ? {} : { show: key }), ...otherParams }),
          }))}
        />
        <LoadState query={query}>
          {(data) => (
            <SectionCard>
              {data.count === 0 ? (
                <Text>
                  {Object.keys(otherParams).length > 0
                    ? 'No cases match. Change the search or the owner to see more.'
                    : LISTS.find(({ key }) => key === show)?.isEmpty}
                </Text>
              ) : (
                <Stack>
                  <CaseTable shortfalls={data.shortfalls} />
                  <Pager
                    page={page}
                    pages={data.pages}
                    count={data.count}
                    noun={`${data.count === 1 ? 'case' : 'cases'}${data.missing_pence > 0 ? `, ${formatPounds(data.missing_pence)} missing` : ''}`}
                    onPage={(next) => change({ page: String(next) })}
                  />
                </Stack>
              )}
            </SectionCard>
          )}
        </LoadState>
      </Stack>
    </Page>
  );
}

/** On a narrow screen the next action would be out of view in a table. */
function CaseTable({ shortfalls }: Pick<Shortfalls, 'shortfalls'>) {
  return (
    <RecordTable
      label="Shortfalls"
      rows={shortfalls}
      getKey={({ shortfall_id }) => shortfall_id}
      cardsAt={TOO_NARROW_FOR_ACTIONS}
      columns={[
        { title: 'Company', layout: 'nowrap', cell: (item) => <CaseLink item={item} /> },
        { title: 'Status', layout: 'nowrap', cell: ({ status }) => <StateChip {...SHORTFALL_CHIPS[status]} /> },
        { title: 'Cause', layout: 'nowrap', cell: ({ cause }) => CAUSE_LABELS[cause] },
        { title: 'Refund', layout: 'numeric', cell: ({ refund_pence }) => <MoneyText pence={refund_pence} size="table" /> },
        { title: 'Missing', layout: 'numeric', cell: renderMissing },
        { title: 'Next action', layout: 'nowrap', cell: describeNextAction },
        { title: 'By', layout: 'nowrap', cell: describeDueDate },
        { title: 'Owner', layout: 'nowrap', cell: ({ owner }) => owner ?? 'Unassigned' },
      ]}
    />
  );
}

type CaseProps = { item: Shortfalls['shortfalls'][number] };

function CaseLink({ item }: CaseProps) {
  return (
    <TextLink to={getPageLink('adminShortfall', { company_id: item.company_id, shortfall_id: item.shortfall_id })}>
      {item.company_name}
    </TextLink>
  );
}

const renderMissing = ({ missing_pence: missing }: CaseProps['item']) =>
  missing === 0 ? null : <MoneyText pence={missing} size="table" />;

const describeNextAction = ({ next_action: action }: CaseProps['item']): string | null =>
  action && `${ACTING_PARTY_LABELS[action.by]}: ${action.text}`;

const describeDueDate = ({ next_action: action }: CaseProps['item']): string | null =>
  action?.due_on ? formatDate(action.due_on, 'short') : null;
