/** The user's profile in tabs: their details, their company and its bank account, and account security. The URL includes the tab. */
import { PAGES } from '@portal/contract/pages.ts';
import { useSearchParams } from '../../lib/search-params.ts';
import { useSession } from '../../core/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { PillTabs } from '../../ui/pill-tabs.tsx';
import { DataCard } from '../../components/data-protection/data-card.tsx';
import { ProviderNotice } from '../../components/companies/provider-notice.tsx';
import { AuthenticatorCard } from './authenticator-card.tsx';
import { CompanyCards } from './company-cards.tsx';
import { LinkedCard } from './linked-card.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { PersonCard } from './person-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { useSecurity, type Security } from './use-security.ts';

const TAB_PARAM = 'tab';

const TABS = [
  { key: 'details', label: 'Your details' },
  { key: 'company', label: 'Company' },
  { key: 'security', label: 'Security' },
] as const;

export function ProfileScreen() {
  const query = useSecurity();
  const { session } = useSession();
  const [search] = useSearchParams();
  const hasCompanies = session.status === 'signed_in' && (session.person.type === 'trader' || session.person.type === 'new');
  const tabs = TABS.filter(({ key }) => key !== 'company' || hasCompanies);
  // Connecting a sign-in provider under Security redirects back here.
  const chosenTab = search.get(TAB_PARAM) ?? (search.has('outcome') ? 'security' : 'details');
  const current = tabs.find(({ key }) => key === chosenTab)?.key ?? 'details';
  return (
    <Page
      title="Profile"
      maxWidth="text"
      actions={
        <>
          <Button to={PAGES.home.path} variant="outlined" size="small">
            Home
          </Button>
          <Button to={PAGES.logout.path} variant="outlined" size="small">
            Log out
          </Button>
        </>
      }
    >
      <ProviderNotice />
      <PillTabs label="Profile" current={current} tabs={tabs.map((tab) => ({ ...tab, to: getTabAddress(search, tab.key) }))} />
      {current === 'company' ? (
        <CompanyCards />
      ) : (
        <LoadState query={query}>{(security) => <TabCards tab={current} security={security} />}</LoadState>
      )}
    </Page>
  );
}

function TabCards({ tab, security }: { tab: 'details' | 'security'; security: Security }) {
  if (tab === 'details') {
    return (
      <Stack gap={24}>
        <PersonCard security={security} />
        <DataCard account={{ of: 'person' }} />
      </Stack>
    );
  }
  return (
    <Stack gap={24}>
      <PasswordCard security={security} />
      <PasskeysCard security={security} />
      <AuthenticatorCard security={security} />
      <LinkedCard security={security} />
      <SessionsCard security={security} />
    </Stack>
  );
}

/** Keeps the company in the URL, but drops the outcome of connecting a provider. */
function getTabAddress(search: URLSearchParams, tab: string): string {
  const next = new URLSearchParams(search);
  for (const name of ['outcome', 'provider']) next.delete(name);
  next.set(TAB_PARAM, tab);
  return `?${next.toString()}`;
}
