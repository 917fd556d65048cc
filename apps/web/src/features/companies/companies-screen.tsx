/** The user's companies: choose one, or add another. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { identityApi } from '@portal/contract/identity.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { useQuery } from '@tanstack/react-query';
import { useOtherHome } from '../../core/other-home.ts';
import { apiQuery } from '../../lib/api.ts';
import { saveCompanyId } from '../../lib/saved-company-id.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import styles from './companies-screen.module.css';

type Company = EndpointOutput<typeof identityApi.userCompanies>[number];

const KINDS: Readonly<Record<Company['kind'], string>> = {
  trader: 'Your company',
  practice: 'Your accounting practice',
  client: 'Client of an accounting practice',
};

export function CompaniesScreen() {
  const query = useQuery(apiQuery(identityApi.userCompanies, {}));
  const home = useOtherHome();
  return (
    <Page
      title="Your companies"
      maxWidth="text"
      actions={
        home === undefined ? (
          <Button to={`${PAGES.stepCompany.path}?existing_user=1`} variant="outlined">
            Add a company
          </Button>
        ) : undefined
      }
    >
      <Stack gap={24}>
        <LoadState query={query} skeleton={<CardSkeleton lines={3} />}>
          {(companies) => (
            <SectionCard>
              {companies.length === 0 ? (
                <Text>
                  {home === undefined
                    ? 'You haven’t added a company yet. It takes about five minutes, and you can stop and come back at any time.'
                    : `You don’t have a company of your own here. ${home.meaning}`}
                </Text>
              ) : (
                <Stack as="ul" gap={0}>
                  {companies.map((company) => (
                    <CompanyRow key={company.company_id} company={company} />
                  ))}
                </Stack>
              )}
            </SectionCard>
          )}
        </LoadState>
        <Text>
          <TextLink to={PAGES.home.path}>Home</TextLink>
        </Text>
      </Stack>
    </Page>
  );
}

function getHome({ kind, company_id }: Company): string {
  if (kind === 'trader') return getPageLink('dashboard', { company_id });
  // A practice's home page depends on the user, so let /home redirect to it.
  return kind === 'client' ? getPageLink('clientsPortalDashboard', { company_id }) : PAGES.home.path;
}

function CompanyRow({ company }: { company: Company }) {
  const to = getHome(company);
  return (
    <Row as="li" wrap={false} className={styles.company}>
      <div className={styles.words}>
        <TextLink to={to} onClick={() => saveCompanyId(company.company_id)} className={styles.name}>
          {company.name}
        </TextLink>
        <Text size="small" tone="quiet">
          {KINDS[company.kind]}
        </Text>
      </div>
      <Icon name="chevronRight" className={styles.arrow} />
    </Row>
  );
}
