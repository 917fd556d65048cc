/** All companies, with what HMRC owes us for each. */
import type { EndpointOutput, ParsedEndpointInput } from '@portal/contract/endpoint.ts';
import { operatorCompaniesApi } from '@portal/contract/operator-companies.ts';
import { toLondonDate } from '@portal/domain/clock.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { formatVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { TOO_NARROW_FOR_ACTIONS } from '../../lib/use-media-query.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { FilterPill } from '../../ui/filter-pill.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { ListSearch } from '../../ui/list-search.tsx';
import { Pager } from '../../ui/pager.tsx';
import { useUrlFilters } from '../../lib/use-url-filters.ts';

const SORTS = [
  { value: 'name', label: 'By name' },
  { value: 'newest', label: 'Newest first' },
];

type Companies = EndpointOutput<typeof operatorCompaniesApi.list>;
type Company = Companies['companies'][number];
type CompanySort = ParsedEndpointInput<typeof operatorCompaniesApi.list>['sort'];

export function OperatorCompaniesScreen() {
  const { filters, change, page } = useUrlFilters(['q', 'sort']);
  const sort: CompanySort = filters.sort === 'name' || filters.sort === 'newest' ? filters.sort : 'exposure';
  const input = { sort, page, ...(filters.q === undefined ? {} : { q: filters.q }) };
  const query = useQuery({ ...apiQuery(operatorCompaniesApi.list, input), placeholderData: keepPreviousData });
  return (
    <Page
      title="Companies"
      maxWidth="full"
      actions={
        <Row gap={8}>
          <ListSearch
            label="Search companies"
            hint="By name, VAT number, company number or ID"
            text={filters.q ?? ''}
            onSearch={(q) => change({ q })}
          />
          <FilterPill
            label="Order"
            unsetLabel="Largest exposure first"
            value={filters.sort}
            options={SORTS}
            onSelect={(value) => change({ sort: value })}
          />
        </Row>
      }
    >
      <LoadState query={query}>
        {(data) => (
          <SectionCard>
            <Stack>
              <CompanyTable companies={data.companies} />
              <Pager
                page={page}
                pages={data.pages}
                count={data.count}
                noun={data.count === 1 ? 'company' : 'companies'}
                onPage={(next) => change({ page: String(next) })}
              />
            </Stack>
          </SectionCard>
        )}
      </LoadState>
    </Page>
  );
}

export const HMRC_STATUS_LABELS: Readonly<Record<string, string>> = {
  connected: 'Connected',
  lapsed: 'Ended',
  declined: 'Declined',
  postponed: 'Not yet',
};

function CompanyTable({ companies }: { companies: Companies['companies'] }) {
  if (companies.length === 0) return <Text>No companies match. Change the search to see more.</Text>;
  return (
    <RecordTable
      label="Companies"
      rows={companies}
      getKey={(company) => company.company_id}
      cardsAt={TOO_NARROW_FOR_ACTIONS}
      columns={[
        {
          title: 'Company',
          cell: ({ company_id, name }) => <TextLink to={getPageLink('adminCompany', { company_id })}>{name}</TextLink>,
        },
        { title: 'VAT number', layout: 'nowrap', cell: ({ vrn }) => (vrn === null ? null : formatVrn(vrn)) },
        { title: 'Company number', layout: 'nowrap', cell: (company) => company.company_number },
        { title: 'HMRC', layout: 'nowrap', cell: formatHmrcStatus },
        { title: 'Open advances', layout: 'numeric', cell: (company) => company.open_advances },
        { title: 'Settled advances', layout: 'numeric', cell: (company) => company.settled_advances },
        {
          title: 'Exposure',
          layout: 'numeric',
          cell: ({ exposure_pence: exposure }) => (exposure === 0 ? null : formatPounds(exposure)),
        },
        { title: 'Added', layout: 'nowrap', cell: (company) => formatDate(toLondonDate(company.created_at), 'short') },
      ]}
    />
  );
}

const formatHmrcStatus = ({ hmrc }: Company): string => (hmrc === null ? 'Not yet' : (HMRC_STATUS_LABELS[hmrc] ?? hmrc));
