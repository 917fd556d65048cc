/** A client's settings: profile, who else sees the taxes, and email notifications. `tab=1` opens the notification preferences. */
import { clientPortalApi } from '@portal/contract/client-portal.ts';
import { useQuery } from '@tanstack/react-query';
import { clientText } from '../../lib/client-texts/client-texts.ts';
import { apiQuery } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { useSearchParams } from '../../lib/search-params.ts';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { PillTabs } from '../../ui/pill-tabs.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { NoClientCompany } from './no-client-company.tsx';
import { NotificationPreferences } from './notification-preferences.tsx';
import { OwnCompanies } from './own-companies.tsx';
import { PracticeBrand } from './practice-brand.tsx';
import { ProfileCards } from './profile-cards.tsx';

export function ClientsPortalSettingsScreen() {
  const { companyId, isSettled } = useCompanyId();
  const [search] = useSearchParams();
  const tab = search.get('tab') === '1' ? '1' : '0';
  const peopleQuery = useQuery({ ...apiQuery(clientPortalApi.people, { company_id: companyId }), enabled: companyId !== '' });
  const isMissing = peopleQuery.error?.status === 404 || peopleQuery.error?.status === 400;
  if ((isSettled && companyId === '') || isMissing) return <NoClientCompany page="clientsPortalSettings" />;
  return (
    <Page title={clientText('settings.title')} lead={peopleQuery.data?.name ?? '\u00A0'} maxWidth="text">
      <Stack gap={24}>
        <OwnCompanies page="clientsPortalSettings" companyId={companyId} />
        <PracticeBrand companyId={companyId} />
        <PillTabs
          label={clientText('settings.title')}
          current={tab}
          tabs={[
            { key: '0', label: clientText('settings.profile'), to: getPageLink('clientsPortalSettings', { company_id: companyId }) },
            {
              key: '1',
              label: clientText('settings.notifications'),
              to: getPageLink('clientsPortalSettings', { company_id: companyId, tab: '1' }),
            },
          ]}
        />
        <LoadState query={peopleQuery} skeleton={<CardSkeleton lines={8} />}>
          {(client) =>
            tab === '1' ? (
              <NotificationPreferences companyId={companyId} name={client.name} />
            ) : (
              <ProfileCards companyId={companyId} client={client} />
            )
          }
        </LoadState>
      </Stack>
    </Page>
  );
}
