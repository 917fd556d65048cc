/** One client: a header that stays in view, and sections for each tax, notes, authorisations and contacts. */
import { clientDashboardApi } from '@portal/contract/client-dashboard.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useSearchParams } from '../../lib/search-params.ts';
import { apiQuery } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { usePracticeProfile } from '../../lib/practice-profile.ts';
import { Button } from '../../ui/button.tsx';
import { FirstLoad } from '../../ui/first-load.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { PracticePage } from '../../components/practice/practice-page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { PageSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { ArchivedNotice } from './client-actions.tsx';
import styles from './client-dashboard-screen.module.css';
import { ClientHeader } from './client-header.tsx';
import type { ClientIds, ClientProfile } from './client-page.ts';
import { parseClientTab, type ClientTab } from './client-tabs.ts';
import { OverviewTab } from './overview-tab.tsx';

const TaxTab = lazy(() => import('./tax-tab.tsx').then((file) => ({ default: file.TaxTab })));
const PapersTab = lazy(() => import('./papers-tab.tsx').then((file) => ({ default: file.PapersTab })));
const NotesTab = lazy(() => import('./notes-tab.tsx').then((file) => ({ default: file.NotesTab })));
const AuthorisationTab = lazy(() => import('./authorisation-tab.tsx').then((file) => ({ default: file.AuthorisationTab })));
const PeopleTab = lazy(() => import('./people-tab.tsx').then((file) => ({ default: file.PeopleTab })));

export function ClientDashboardScreen() {
  const { companyId, isSettled } = useCompanyId();
  const [search] = useSearchParams();
  const clientId = search.get('client_id') ?? '';
  const ids = { companyId, clientId };
  const isNamed = companyId !== '' && clientId !== '';
  const profile = useQuery({ ...apiQuery(clientDashboardApi.profile, { company_id: companyId, client_id: clientId }), enabled: isNamed });
  const accountant = usePracticeProfile(companyId);
  const isMissing = profile.error?.status === 404 || profile.error?.status === 422 || profile.error?.status === 400;
  if (isSettled && (clientId === '' || isMissing)) return <NoClient companyId={companyId} />;
  // The header's height depends on the name and the actions, so wait for both to avoid a layout shift.
  if (profile.isPending || accountant.isPending) {
    return (
      <PracticePage title="Client">
        <PageSkeleton />
      </PracticePage>
    );
  }
  const client = profile.data;
  if (client === undefined) {
    return (
      <PracticePage title="Client">
        <LoadState query={profile}>{() => null}</LoadState>
      </PracticePage>
    );
  }
  const tab = parseClientTab(search.get('tab'), client);
  return (
    <PracticePage title={client.full_name} renderHead={(heading) => <ClientHeader ids={ids} client={client} tab={tab} heading={heading} />}>
      {/* Each section is at least as high as the window, so that opening a shorter one doesn't scroll the page. */}
      <div className={styles.section}>
        <ArchivedNotice ids={ids} client={client} />
        <Suspense fallback={<PageSkeleton />}>
          <FirstLoad key={`${clientId} ${tab}`} skeleton={<PageSkeleton />}>
            <Stack gap={24}>
              <TabContent ids={ids} client={client} tab={tab} />
            </Stack>
          </FirstLoad>
        </Suspense>
      </div>
    </PracticePage>
  );
}

function TabContent({ ids, client, tab }: { ids: ClientIds; client: ClientProfile; tab: ClientTab }) {
  switch (tab) {
    case 'overview':
      return <OverviewTab ids={ids} client={client} />;
    case 'papers':
      return <PapersTab ids={ids} />;
    case 'notes':
      return <NotesTab ids={ids} />;
    case 'authorisation':
      return <AuthorisationTab ids={ids} client={client} />;
    case 'people':
      return <PeopleTab ids={ids} client={client} />;
    default:
      return <TaxTab ids={ids} client={client} tax={tab satisfies Tax} />;
  }
}

function NoClient({ companyId }: { companyId: string }) {
  return (
    <PracticePage title="Client" maxWidth="text">
      <SectionCard title="We can’t find this client">
        <Stack align="start">
          <Text>Check the web address. The client may have been removed, or you may no longer be assigned to it.</Text>
          <Button to={getPageLink('practiceClients', companyId === '' ? {} : { company_id: companyId })}>View your clients</Button>
        </Stack>
      </SectionCard>
    </PracticePage>
  );
}
