/** One company as operators see it: advances, exposure, people and identity, HMRC, bank, documents, history and notes. */
import { operatorCompaniesApi } from '@portal/contract/operator-companies.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { useSearchParams } from '../../lib/search-params.ts';
import { MainAndAside, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { CompanyAdvances, CompanyDocuments, CompanyHistory, CompanyPeople, type CompanyData } from './company-tables.tsx';
import { BankCard, CompanyFacts, ExposureCard, HmrcCard } from './company-cards.tsx';
import { NotesList } from './notes-list.tsx';

export function OperatorCompanyScreen() {
  const [search] = useSearchParams();
  const companyId = search.get('company_id') ?? '';
  const query = useQuery({ ...apiQuery(operatorCompaniesApi.get, { company_id: companyId }), enabled: companyId !== '' });
  return (
    <Page
      title={query.data?.company.name ?? 'Company'}
      lead={<TextLink to={getPageLink('adminCompanies')}>All companies</TextLink>}
      maxWidth="full"
    >
      {companyId === '' ? (
        <Notice tone="warning" title="Company not found">
          This link doesn’t include a company. Open one from the list of companies.
        </Notice>
      ) : (
        <LoadState query={query}>{(data) => <Company data={data} />}</LoadState>
      )}
    </Page>
  );
}

function Company({ data }: { data: CompanyData }) {
  const { company_id: companyId } = data.company;
  return (
    <MainAndAside>
      <Stack gap={24}>
        <CompanyAdvances data={data} />
        <CompanyPeople data={data} />
        <CompanyDocuments data={data} />
        <CompanyHistory companyId={companyId} />
      </Stack>
      <Stack gap={24}>
        <ExposureCard data={data} />
        <CompanyFacts data={data} />
        <HmrcCard data={data} />
        <BankCard data={data} />
        <SectionCard title="Notes on the company">
          <NotesList companyId={companyId} subjectId={companyId} />
        </SectionCard>
      </Stack>
    </MainAndAside>
  );
}
