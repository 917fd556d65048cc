/** OpenTax's settings: the person, the practice, who may do what, and what is connected. Each tab has its own address. */
import { practiceApi, SETTINGS_TABS, settingsPath, type SettingsTab } from '@portal/contract/practice.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'react-router';
import { ask } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { practiceHomeLink } from '../../lib/practice-home.ts';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { ConnectionsTab } from './connections-tab.tsx';
import { NoPractice } from './no-practice.tsx';
import { PracticeTab } from './practice-tab.tsx';
import { ProfileTab } from './profile-tab.tsx';
import { RolesTab } from './roles-tab.tsx';
import type { PracticeProfile } from './practice-profile.ts';

const TAB_NAMES: Readonly<Record<SettingsTab, string>> = {
  profile: 'You',
  practice: 'Practice',
  roles: 'Roles',
  connections: 'Connections',
};

export function SettingsScreen() {
  const { companyId, settled } = useCompanyId();
  const query = useQuery({ ...ask(practiceApi.accountantProfile, { company_id: companyId }), enabled: companyId !== '' });
  const { pathname } = useLocation();
  const tab = SETTINGS_TABS.find((known) => settingsPath(known) === pathname.replace(/\/+$/, '')) ?? 'profile';
  // Opened without a practice, or with a company that is none of this person's practices.
  if ((settled && companyId === '') || query.error?.status === 404) return <NoPractice />;
  return (
    <Page
      title="Settings"
      lead={query.data?.name}
      actions={
        <Button component={Link} to={practiceHomeLink(companyId)} variant="outlined" size="small">
          Dashboard
        </Button>
      }
    >
      <Tabs current={tab} companyId={companyId} />
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
    case 'roles':
      return <RolesTab profile={profile} />;
    case 'connections':
      return <ConnectionsTab profile={profile} />;
  }
}

/** Links, because each tab is a page that can be shared and gone back to. */
function Tabs({ current, companyId }: { current: SettingsTab; companyId: string }) {
  return (
    <Box component="nav" aria-label="Settings" sx={{ mb: 3, borderBottom: 1, borderColor: 'divider', overflowX: 'auto' }}>
      <Box component="ul" sx={{ display: 'flex', gap: { xs: 0.5, sm: 2 }, listStyle: 'none', m: 0, p: 0 }}>
        {SETTINGS_TABS.map((tab) => (
          <li key={tab}>
            <Box
              component={Link}
              to={`${settingsPath(tab)}?${new URLSearchParams({ company_id: companyId })}`}
              aria-current={tab === current ? 'page' : undefined}
              sx={{
                display: 'block',
                px: 1,
                py: 1.5,
                whiteSpace: 'nowrap',
                textDecoration: 'none',
                fontWeight: tab === current ? 600 : 500,
                color: tab === current ? 'primary.tone' : 'text.primary',
                borderBottom: 3,
                borderColor: tab === current ? 'primary.tone' : 'transparent',
                '&:hover': { borderColor: tab === current ? 'primary.tone' : 'divider' },
                // Inside: the row cuts off what stands out.
                '&:focus-visible': { outlineOffset: '-3px' },
              }}
            >
              {TAB_NAMES[tab]}
            </Box>
          </li>
        ))}
      </Box>
    </Box>
  );
}
