/** The person's companies: choose one, or add another. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { identityApi } from '@portal/contract/identity.ts';
import { PAGES } from '@portal/contract/pages.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import { useOtherWork } from '../../core/other-work.ts';
import { apiQuery } from '../../lib/api.ts';
import { saveCompanyId } from '../../lib/saved-company-id.ts';
import { pageLink } from '../../lib/page-link.ts';
import { Icon } from '../../ui/icons.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';

type Company = EndpointOutput<typeof identityApi.userCompanies>[number];

const KINDS: Readonly<Record<Company['kind'], string>> = {
  trader: 'Your company',
  practice: 'Your accounting practice',
  client: 'Client of an accounting practice',
};

export function CompaniesScreen() {
  const query = useQuery(apiQuery(identityApi.userCompanies, {}));
  const work = useOtherWork();
  return (
    <Page
      title="Your companies"
      maxWidth="text"
      actions={
        work === undefined ? (
          <Button component={RouterLink} to={`${PAGES.stepCompany.path}?existing_user=1`} variant="outlined">
            Add a company
          </Button>
        ) : undefined
      }
    >
      <LoadState query={query} skeleton={<CardSkeleton lines={3} />}>
        {(companies) => (
          <SectionCard>
            {companies.length === 0 ? (
              <Typography>
                {work === undefined
                  ? 'You have no company here yet. Add one: it takes about five minutes, and you can stop and come back.'
                  : `You have no company of your own here. ${work.meaning}`}
              </Typography>
            ) : (
              <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
                {companies.map((company) => (
                  <CompanyRow key={company.company_id} company={company} />
                ))}
              </Box>
            )}
          </SectionCard>
        )}
      </LoadState>
      <Typography sx={{ mt: 3 }}>
        <Link component={RouterLink} to={PAGES.home.path}>
          Home
        </Link>
      </Typography>
    </Page>
  );
}

function CompanyRow({ company }: { company: Company }) {
  // Practices and clients have homes of their own, which /home redirects to.
  const to = company.kind === 'trader' ? pageLink('dashboard', { company_id: company.company_id }) : PAGES.home.path;
  return (
    <Box
      component="li"
      sx={{ display: 'flex', gap: 1.5, alignItems: 'center', py: 1.5, '& + &': { borderTop: 1, borderColor: 'divider' } }}
    >
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Link
          component={RouterLink}
          to={to}
          onClick={() => saveCompanyId(company.company_id)}
          sx={{ fontWeight: 500, overflowWrap: 'anywhere' }}
        >
          {company.name}
        </Link>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {KINDS[company.kind]}
        </Typography>
      </Box>
      <Icon name="chevronRight" sx={{ color: 'text.secondary' }} />
    </Box>
  );
}
