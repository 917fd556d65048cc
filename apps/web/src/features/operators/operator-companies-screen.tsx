/** All companies, with what HMRC owes us for each. */
import type { EndpointOutput, ParsedEndpointInput } from '@portal/contract/endpoint.ts';
import { operatorCompaniesApi } from '@portal/contract/operator-companies.ts';
import { toLondonDate } from '@portal/domain/clock.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { formatVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { TOO_NARROW_FOR_ACTIONS, useMediaQuery } from '../../lib/use-media-query.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { FilterPill } from '../../ui/filter-pill.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { RecordCards } from '../../ui/record-cards.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Table, TableHead } from '../../ui/table.tsx';
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
  const showsCards = useMediaQuery(TOO_NARROW_FOR_ACTIONS);
  if (companies.length === 0) return <Text>No companies match. Change the search to see more.</Text>;
  if (showsCards) {
    return (
      <RecordCards
        label="Companies"
        cards={companies.map((company) => ({
          key: company.company_id,
          title: <CompanyLink company={company} />,
          facts: [
            { label: 'VAT number', value: company.vrn === null ? '–' : formatVrn(company.vrn) },
            { label: 'Company number', value: company.company_number ?? '–' },
            { label: 'HMRC', value: formatHmrcStatus(company) },
            { label: 'Open advances', value: company.open_advances },
            { label: 'Settled advances', value: company.settled_advances },
            { label: 'Exposure', value: formatExposure(company) },
            { label: 'Added', value: formatDate(toLondonDate(company.created_at), 'short') },
          ],
        }))}
      />
    );
  }
  return (
    <Table label="Companies" dense flush>
      <TableHead
        columns={[
          'Company',
          'VAT number',
          'Company number',
          'HMRC',
          { numeric: 'Open' },
          { numeric: 'Settled' },
          { numeric: 'Exposure' },
          'Added',
        ]}
      />
      <tbody>
        {companies.map((company) => (
          <tr key={company.company_id}>
            <th scope="row">
              <CompanyLink company={company} />
            </th>
            <td data-nowrap>{company.vrn === null ? '–' : formatVrn(company.vrn)}</td>
            <td data-nowrap>{company.company_number ?? '–'}</td>
            <td>{formatHmrcStatus(company)}</td>
            <td data-numeric>{company.open_advances}</td>
            <td data-numeric>{company.settled_advances}</td>
            <td data-numeric>{formatExposure(company)}</td>
            <td data-nowrap>{formatDate(toLondonDate(company.created_at), 'short')}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function CompanyLink({ company }: { company: Company }) {
  return <TextLink to={getPageLink('adminCompany', { company_id: company.company_id })}>{company.name}</TextLink>;
}

const formatHmrcStatus = ({ hmrc }: Company): string => (hmrc === null ? 'Not yet' : (HMRC_STATUS_LABELS[hmrc] ?? hmrc));

const formatExposure = ({ exposure_pence: exposure }: Company): string => (exposure === 0 ? '–' : formatPounds(exposure));
