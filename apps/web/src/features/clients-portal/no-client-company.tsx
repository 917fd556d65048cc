import { identityApi } from '@portal/contract/identity.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { pageLink } from '../../lib/page-link.ts';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';

/** The address names no company that the person is a client for: the ones they have, or what to do. */
export function NoClientCompany({ page }: { page: 'clientsPortalDashboard' | 'clientsPortalSettings' }) {
  const query = useQuery(apiQuery(identityApi.userCompanies, {}));
  return (
    <Page title="Your taxes" maxWidth="text">
      <LoadState query={query} skeleton={<CardSkeleton lines={3} />}>
        {(companies) => {
          const own = companies.filter(({ kind }) => kind === 'client');
          return own.length === 0 ? (
            <SectionCard title="No company yet">
              <Stack align="start">
                <Text>
                  You’re not a client of a practice here. Ask your accountant for an invitation: its link opens your company. If you had
                  access before, it has ended.
                </Text>
                <Button to={PAGES.home.path}>Home</Button>
              </Stack>
            </SectionCard>
          ) : (
            <SectionCard title="Choose a company">
              <Stack as="ul" gap={12}>
                {own.map(({ company_id: companyId, name }) => (
                  <li key={companyId}>
                    <Button variant="outlined" to={pageLink(page, { company_id: companyId })}>
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
