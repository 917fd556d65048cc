/** Shows the header that the page's contract specifies (docs/product/specification.md section 2.6), with its data. */
import type { Page } from '@portal/contract/pages/page.ts';
import { lazy, Suspense } from 'react';
import { useLocation } from 'react-router';
import { useCompanyId } from '../lib/company-id.ts';
import { getPageLink } from '../lib/page-link.ts';
import { DocumentTitle } from './document-title.tsx';
import { Bar } from './headers/bar.tsx';
import { DashboardHeader } from './headers/dashboard-header.tsx';
import { OperatorHeader } from './headers/operator-header.tsx';
import { PlainHeader } from './headers/plain-header.tsx';
import { useLogOut } from './log-out.ts';
import { getHelpPath } from './menu-entries.ts';
import { useMenu } from './menu-state.tsx';
import { MenuToggle } from './menu-toggle.tsx';
import { hasHeaderWhenSmall, isExternalUser } from './navigation.ts';
import { useSession } from '../core/session.tsx';
import { useCompanyName } from './use-company-name.ts';

const ClientsPortalHeader = lazy(() =>
  import('./headers/clients-portal-header.tsx').then((file) => ({ default: file.ClientsPortalHeader })),
);
const PractitionerHeader = lazy(() => import('./headers/practitioner-header.tsx').then((file) => ({ default: file.PractitionerHeader })));

export function PageHeader({ page }: { page: Page | undefined }) {
  switch (page?.header) {
    case 'operator':
      return (
        <>
          <DocumentTitle />
          <OperatorHeader />
        </>
      );
    case 'dashboard':
      return <DashboardTop />;
    case 'practitioner':
      return (
        <Suspense fallback={<Bar>{null}</Bar>}>
          <PractitionerHeader />
        </Suspense>
      );
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
  const profilePath = isExternalUser(search) ? undefined : getPageLink('profile', companyId === '' ? {} : { company_id: companyId });
  return (
    <>
      <DocumentTitle subject={companyName} />
      <DashboardHeader companyName={companyName} profilePath={profilePath} menu={<MenuToggle />} />
    </>
  );
}

function PlainTop({ page }: { page: Page | undefined }) {
  const { pathname, search } = useLocation();
  const menu = useMenu();
  const navigation = menu?.isOffered === true ? { helpPath: getHelpPath(pathname, search), menu: <MenuToggle /> } : undefined;
  return (
    <>
      <DocumentTitle />
      <PlainHeader hiddenWhenSmall={!hasHeaderWhenSmall(page, pathname)} navigation={navigation} />
    </>
  );
}

function ClientsPortalTop() {
  const { fullName, companyId } = useAccount();
  const logOut = useLogOut();
  const company: Record<string, string> = companyId === '' ? {} : { company_id: companyId };
  const paths = {
    home: getPageLink('clientsPortalDashboard', company),
    profile: getPageLink('clientsPortalSettings', company),
    notificationPreferences: getPageLink('clientsPortalSettings', { ...company, tab: '1' }),
  };
  return (
    <Suspense fallback={<Bar>{null}</Bar>}>
      <DocumentTitle subject={fullName} />
      <ClientsPortalHeader fullName={fullName} paths={paths} onLogOut={logOut} />
    </Suspense>
  );
}

/** Returns the client's full name and this page's company. */
function useAccount(): { fullName: string; companyId: string } {
  const { companyId } = useCompanyId();
  const { session } = useSession();
  return { fullName: session.status === 'signed_in' ? (session.person.full_name ?? '') : '', companyId };
}
