/** The messages between a client and its practice. */
import { clientPortalApi } from '@portal/contract/client-portal.ts';
import { useQuery } from '@tanstack/react-query';
import { Conversation } from '../../components/client-conversation/conversation.tsx';
import { apiQuery } from '../../lib/api.ts';
import { clientText } from '../../lib/client-texts/client-texts.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { NoClientCompany } from './no-client-company.tsx';
import { OwnCompanies } from './own-companies.tsx';
import { PortalNav } from './portal-nav.tsx';

export function ClientsPortalMessagesScreen() {
  const { companyId, isSettled } = useCompanyId();
  const isNamed = companyId !== '';
  const peopleQuery = useQuery({ ...apiQuery(clientPortalApi.people, { company_id: companyId }), enabled: isNamed });
  const isMissing = peopleQuery.error?.status === 404 || peopleQuery.error?.status === 400;
  if ((isSettled && !isNamed) || isMissing) return <NoClientCompany page="clientsPortalMessages" />;
  return (
    <Page
      title={clientText('messages.title')}
      lead={peopleQuery.data === undefined ? '\u00A0' : clientText('papers.with', { practice: peopleQuery.data.practice })}
      maxWidth="text"
    >
      <Stack gap={24}>
        <OwnCompanies page="clientsPortalMessages" companyId={companyId} />
        <PortalNav current="messages" companyId={companyId} />
        <LoadState query={peopleQuery} skeleton={<CardSkeleton lines={8} />}>
          {({ practice }) => (
            <SectionCard>
              <Conversation
                ids={{ company_id: companyId, client_id: companyId }}
                isClient
                emptyText={clientText('messages.none_client', { practice })}
                hint={clientText('messages.hint_client', { practice })}
              />
            </SectionCard>
          )}
        </LoadState>
      </Stack>
    </Page>
  );
}
