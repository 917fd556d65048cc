/**
 * One client: urgent points first, then the next dates, the totals, and each tax with its details. Every figure shows its source and date.
 */
import { clientDashboardApi } from '@portal/contract/client-dashboard.ts';
import { practiceApi } from '@portal/contract/practice.ts';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from '../../lib/search-params.ts';
import { apiQuery } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { pageLink } from '../../lib/page-link.ts';
import { AuthorisationCard } from '../../components/practice/authorisation-card.tsx';
import { Button } from '../../ui/button.tsx';
import { FirstLoad } from '../../ui/first-load.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { NoPracticeCard } from '../../components/practice/no-practice-card.tsx';
import { Page } from '../../ui/page.tsx';
import { PracticeNav } from '../../components/practice/practice-nav.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { PageSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { BooksCard } from './books-card.tsx';
import { ArchivedNotice, ClientActions } from './client-actions.tsx';
import styles from './client-dashboard-screen.module.css';
import { ClientHead } from './client-head.tsx';
import { ConnectionsCard } from './connections-card.tsx';
import { FirstSteps } from './first-steps.tsx';
import { NotesCard } from './notes-card.tsx';
import { OtherClient } from './other-client.tsx';
import { TaxCards } from './tax-cards.tsx';
import { TaxDetails } from './tax-details.tsx';
import { TimelineCard } from './timeline-card.tsx';

export function ClientDashboardScreen() {
  const { companyId, settled } = useCompanyId();
  const [search] = useSearchParams();
  const clientId = search.get('client_id') ?? '';
  const ids = { companyId, clientId };
  const isNamed = companyId !== '' && clientId !== '';
  const profile = useQuery({ ...apiQuery(clientDashboardApi.profile, { company_id: companyId, client_id: clientId }), enabled: isNamed });
  const accountant = useQuery({ ...apiQuery(practiceApi.accountantProfile, { company_id: companyId }), enabled: companyId !== '' });
  if (settled && companyId === '') return <NoPracticeCard title="Client" />;
  const isMissing = profile.error?.status === 404 || profile.error?.status === 422 || profile.error?.status === 400;
  if (settled && (clientId === '' || isMissing)) return <NoClient companyId={companyId} />;
  // The name and the actions decide how high the head is. Nothing is shown that they would move.
  if (profile.isPending || accountant.isPending) {
    return (
      <Page title="Client">
        <PageSkeleton />
      </Page>
    );
  }
  return (
    <Page
      title={profile.data?.full_name ?? 'Client'}
      actions={
        profile.data && (
          <>
            <OtherClient companyId={companyId} current={clientId} />
            <ClientActions ids={ids} client={profile.data} />
          </>
        )
      }
    >
      <PracticeNav companyId={companyId} />
      <LoadState query={profile}>
        {(client) => (
          <FirstLoad key={clientId} skeleton={<PageSkeleton />}>
            <Stack gap={24}>
              <ArchivedNotice ids={ids} client={client} />
              <ClientHead ids={ids} client={client} />
              <FirstSteps ids={ids} client={client} />
              <TaxCards ids={ids} taxes={client.taxes} />
              <TaxDetails ids={ids} taxes={client.taxes} today={client.today} />
              {client.taxes.length > 0 && <BooksCard ids={ids} taxes={client.taxes} today={client.today} />}
              <div id="authority" className={styles.target}>
                <AuthorisationCard {...ids} />
              </div>
              <NotesCard ids={ids} />
              <TimelineCard ids={ids} />
              <ConnectionsCard companyId={companyId} />
            </Stack>
          </FirstLoad>
        )}
      </LoadState>
    </Page>
  );
}

function NoClient({ companyId }: { companyId: string }) {
  return (
    <Page title="Client" maxWidth="text">
      <SectionCard title="We can’t find this client">
        <Stack align="start">
          <Text>Check the address. The client may have been removed, or you may not be assigned to it any more.</Text>
          <Button to={pageLink('practiceClients', companyId === '' ? {} : { company_id: companyId })}>View your clients</Button>
        </Stack>
      </SectionCard>
    </Page>
  );
}
