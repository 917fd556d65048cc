/** Switches between companies for a trader who has several. In the header from 1024 px; on smaller screens, the menu does this. */
import { identityApi } from '@portal/contract/identity.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useLocation } from 'react-router';
import { apiQuery } from '../../lib/api.ts';
import { useMediaQuery } from '../../lib/use-media-query.ts';
import { getCompanyLink } from '../company-link.ts';
import styles from './navigation-bar.module.css';

// Most users have one company and never load the menu.
const DropdownMenu = lazy(() => import('../../ui/dropdown-menu.tsx').then((file) => ({ default: file.DropdownMenu })));

export function CompanySwitcher({ companyId }: { companyId: string }) {
  const { pathname } = useLocation();
  const isShown = useMediaQuery('(min-width:1024px)');
  const { data: companies = [] } = useQuery({ ...apiQuery(identityApi.userCompanies, {}), enabled: isShown, staleTime: 60_000 });
  if (!isShown || companies.length < 2) return null;
  const current = companies.find(({ company_id: id }) => id === companyId);
  return (
    <div className={styles.switcher}>
      <Suspense fallback={null}>
        <DropdownMenu
          label={current?.name ?? 'Choose a company'}
          top={companies.map((company) => ({
            label: company.name,
            to: getCompanyLink(company, pathname),
            isCurrent: company.company_id === companyId,
          }))}
          bottom={[{ label: 'All companies', to: PAGES.company.path }]}
        />
      </Suspense>
    </div>
  );
}
