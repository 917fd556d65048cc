import { identityApi } from '@portal/contract/identity.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { useQuery } from '@tanstack/react-query';
import { clientText } from '../../lib/client-texts/client-texts.ts';
import { apiQuery } from '../../lib/api.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';

/** Shown if the URL doesn't name a company that the user is a client for: lists their companies, or explains what to do. */
export function NoClientCompany({
  page,
}: {
  page: 'clientsPortalDashboard' | 'clientsPortalMessages' | 'clientsPortalPapers' | 'clientsPortalSettings';
}) {
  const query = useQuery(apiQuery(identityApi.userCompanies, {}));
  return (
    <Page title={clientText('taxes.title')} maxWidth="text">
      <LoadState query={query} skeleton={<CardSkeleton lines={3} />}>
        {(companies) => {
          const ownCompanies = companies.filter(({ kind }) => kind === 'client');
          return ownCompanies.length === 0 ? (
            <SectionCard title={clientText('no_company.title')}>
              <Stack align="start">
                <Text>{clientText('no_company.text')}</Text>
                <Button to={PAGES.home.path}>{clientText('no_company.home')}</Button>
              </Stack>
            </SectionCard>
          ) : (
            <SectionCard title={clientText('no_company.choose')}>
              <Stack as="ul" gap={12}>
                {ownCompanies.map(({ company_id: companyId, name }) => (
                  <li key={companyId}>
                    <Button variant="outlined" to={getPageLink(page, { company_id: companyId })}>
                      {name}
                    </Button>
                  </li>
                ))}
              </Stack>
            </SectionCard>
          );
        }}
      </LoadState>
    </Page>
  );
}
