/** The header that suits a page: the page says which (specification 2.6), here are the facts that each one shows. */
import { identityApi } from '@portal/contract/identity.ts';
import type { Page } from '@portal/contract/pages.ts';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { ask } from '../lib/api.ts';
import { useCompanyId } from '../lib/company-id.ts';
import { pageLink } from '../lib/page-link.ts';
import { ClientsPortalHeader } from './headers/clients-portal-header.tsx';
import { DashboardHeader } from './headers/dashboard-header.tsx';
import { OperatorHeader } from './headers/operator-header.tsx';
import { PlainHeader } from './headers/plain-header.tsx';
import { PractitionerHeader } from './headers/practitioner-header.tsx';
import { useLogOut } from './log-out.ts';
import { helpPath } from './menu-entries.ts';
import { useMenu } from './menu-state.tsx';
import { MenuToggle } from './menu-toggle.tsx';
import { hasHeaderWhenSmall, hasPractitionerNavigation, isExternalUser } from './navigation.ts';
import { useSession } from './session.tsx';
import { useCompanyName } from './use-company-name.ts';

export function PageHeader({ page }: { page: Page | undefined }) {
  switch (page?.header) {
    case 'operator':
      return <OperatorHeader />;
    case 'dashboard':
      return <DashboardTop />;
    case 'practitioner':
      return <PractitionerTop />;
    case 'clients_portal':
      return <ClientsPortalTop />;
    case undefined:
      return <PlainTop page={page} />;
  }
}

function DashboardTop() {
  const { search } = useLocation();
  const { companyId } = useCompanyId();
  const companyName = useCompanyName(companyId);
  const profilePath = isExternalUser(search) ? undefined : pageLink('profile', companyId === '' ? {} : { company_id: companyId });
  return <DashboardHeader companyName={companyName} profilePath={profilePath} menu={<MenuToggle />} />;
}

function PlainTop({ page }: { page: Page | undefined }) {
  const { pathname, search } = useLocation();
  const menu = useMenu();
  const navigation = menu?.isOffered === true ? { helpPath: helpPath(pathname, search), menu: <MenuToggle /> } : undefined;
  return <PlainHeader hiddenWhenSmall={!hasHeaderWhenSmall(page, pathname)} navigation={navigation} />;
}

const SETTINGS_PATH = '/v2/open-tax/settings';

function PractitionerTop() {
  const { pathname, search } = useLocation();
  const { fullName, role } = useAccount();
  return (
    <PractitionerHeader
      fullName={fullName}
      role={role}
      settingsPath={isExternalUser(search) ? undefined : SETTINGS_PATH}
      menu={hasPractitionerNavigation(pathname, search) ? <MenuToggle /> : undefined}
    />
  );
}

function ClientsPortalTop() {
  const { fullName, companyId } = useAccount();
  const logOut = useLogOut();
  const at = (path: string, tab: Record<string, string> = {}) =>
    `/v2/open-tax/clients-portal/${path}?${new URLSearchParams({ company_id: companyId, ...tab })}`;
  const paths = { home: at('dashboard'), profile: at('settings'), notificationPreferences: at('settings', { tab: '1' }) };
  return <ClientsPortalHeader fullName={fullName} paths={paths} onLogOut={logOut} />;
}

/** The account profile's full name and role in the company of this page. */
function useAccount(): { fullName: string; role: string; companyId: string } {
  const { companyId } = useCompanyId();
  const { session } = useSession();
  const companies = useQuery({ ...ask(identityApi.userCompanies, {}), enabled: session.status === 'signed_in' });
  const role = companies.data?.find((company) => company.company_id === companyId)?.role ?? '';
  const fullName = session.status === 'signed_in' ? (session.person.full_name ?? '') : '';
  return { fullName, role: role === 'practice_admin' ? 'admin' : role, companyId };
}
