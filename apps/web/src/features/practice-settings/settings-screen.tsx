/** OpenTax settings: the user, the practice, and its team, roles and connections. Each tab has its own URL. */
import { getSettingsPath, SETTINGS_TABS, type SettingsTab } from '@portal/contract/practice.ts';
import { useLocation } from 'react-router';
import { useCompanyId } from '../../lib/company-id.ts';
import { usePracticeProfile, type PracticeProfile } from '../../lib/practice-profile.ts';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { PillTabs } from '../../ui/pill-tabs.tsx';
import { PracticeNav } from '../../components/practice/practice-nav.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { BillingTab } from './billing-tab.tsx';
import { ConnectionsTab } from './connections-tab.tsx';
import { DevelopersTab } from './developers-tab.tsx';
import { InvoicesTab } from './invoices-tab.tsx';
import { NoPractice } from './no-practice.tsx';
import { NotificationsTab } from './notifications-tab.tsx';
import { PracticeTab } from './practice-tab.tsx';
import { ProfileTab } from './profile-tab.tsx';
import { RolesTab } from './roles-tab.tsx';
import { TeamTab } from './team-tab.tsx';

const TAB_NAMES: Readonly<Record<SettingsTab, string>> = {
  profile: 'You',
  practice: 'Practice',
  team: 'Team',
  roles: 'Roles',
  connections: 'Connections',
  billing: 'Billing',
  invoices: 'Invoices',
  developers: 'Developers',
  notifications: 'Notifications',
};

export function SettingsScreen() {
  const { companyId, isSettled } = useCompanyId();
  const query = usePracticeProfile(companyId);
  const { pathname } = useLocation();
  const tab = SETTINGS_TABS.find((known) => getSettingsPath(known) === pathname.replace(/\/+$/, '')) ?? 'profile';
  // The page was opened without a practice, or with a company that isn't one of the user's practices.
  if ((isSettled && companyId === '') || query.error?.status === 404) return <NoPractice />;
  return (
    <Page title="Settings" lead={query.data?.name ?? '\u00A0'} before={<PracticeNav companyId={companyId} />}>
      <PillTabs
        label="Settings"
        current={tab}
        tabs={SETTINGS_TABS.map((key) => ({
          key,
          label: TAB_NAMES[key],
          to: `${getSettingsPath(key)}?${new URLSearchParams({ company_id: companyId })}`,
        }))}
      />
      <LoadState query={query} skeleton={<CardSkeleton lines={6} />}>
        {(profile) => <TabContent tab={tab} profile={profile} />}
      </LoadState>
    </Page>
  );
}

function TabContent({ tab, profile }: { tab: SettingsTab; profile: PracticeProfile }) {
  switch (tab) {
    case 'profile':
      return <ProfileTab profile={profile} />;
    case 'practice':
      return <PracticeTab profile={profile} />;
    case 'team':
      return <TeamTab profile={profile} />;
    case 'roles':
      return <RolesTab profile={profile} />;
    case 'billing':
      return <BillingTab profile={profile} />;
    case 'invoices':
      return <InvoicesTab profile={profile} />;
    case 'connections':
      return <ConnectionsTab profile={profile} />;
    case 'developers':
      return <DevelopersTab profile={profile} />;
    case 'notifications':
      return <NotificationsTab profile={profile} />;
  }
}
