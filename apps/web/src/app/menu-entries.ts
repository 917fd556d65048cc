/** The menus' entries, in the order given in docs/product/specification.md section 2.6. Pages that don't exist yet are omitted. */
import { OPEN_TAX_HELP, PAGES } from '@portal/contract/pages.ts';
import { getPageLink } from '../lib/page-link.ts';
import { getDataPolicyUrl } from '../lib/settings.ts';
import type { MenuEntry } from '../ui/menu-entry.tsx';
import { getHomeEntry } from './home-entry.ts';
import { isExternalUser, isOpenTaxFlow } from './navigation.ts';
import { getNavigation } from './navigation-links.ts';
import { findOtherHome } from '../core/other-home.ts';
import type { Session } from '../core/session-state.ts';

export type MenuContext = {
  readonly pathname: string;
  readonly search: string;
  readonly session: Session;
  /** How many companies the user has. Undefined until loaded, or if the list can't be loaded. */
  readonly companies: number | undefined;
  readonly companyId: string;
  readonly logOut: () => void;
};

/** Returns the slide-out menu for signed-in users. */
export function listSlideOutEntries(facts: MenuContext): MenuEntry[] {
  const { pathname, search, companies, companyId } = facts;
  const inOpenTax = isOpenTaxFlow(pathname, search);
  return [
    getHomeEntry(pathname, companies, companyId),
    ...(canAddCompany(facts) ? [{ label: 'Add company', to: `${PAGES.stepCompany.path}?existing_user=1` }] : []),
    getDataPolicyEntry(),
    { label: 'Help', to: getHelpPath(pathname, search) },
    ...(inOpenTax ? [{ label: 'Add a team member', to: withCompany(PAGES.addTeamMember.path, companyId) }] : []),
    { label: 'Log out', onChoose: facts.logOut },
  ];
}

/** Returns the full-screen menu of the mobile layout. `tick` is the badge of the tasks entry: a green tick when no tasks are open. */
export function listMobileEntries(facts: MenuContext, tick: MenuEntry['badge']): MenuEntry[] {
  return [
    { label: 'Go to dashboard', to: getDashboardPath(facts) },
    { label: 'Pending tasks', to: withCompany(PAGES.pendingTasks.path, facts.companyId), badge: tick },
    { label: 'Manage connections', to: withCompany(PAGES.connections.path, facts.companyId) },
    getDataPolicyEntry(),
    { label: 'Contact us', to: PAGES.contact.path },
    { label: 'Log out', onChoose: facts.logOut },
  ];
}

/** Returns the navigation bar's links, for screens too narrow for the bar. Omits pages to which `shown` already leads. */
export function listNavigationEntries({ session, pathname, search, companyId }: MenuContext, shown: readonly MenuEntry[]): MenuEntry[] {
  if (isExternalUser(search)) return [];
  const shownPaths = new Set(shown.flatMap((entry) => ('to' in entry ? [getPath(entry.to)] : [])));
  const { links = [], otherLinks = [] } = getNavigation(session, pathname, search, companyId) ?? {};
  return [...links, ...otherLinks]
    .filter(({ to }) => !shownPaths.has(getPath(to)))
    .map(({ label, to }) => ({ label, to, isCurrent: getPath(to) === pathname }));
}

/** Our own entries, listed after the specification's: pages that aren't linked from anywhere else. */
export function listOtherEntries({ session, companies, companyId }: MenuContext): MenuEntry[] {
  return [
    { label: 'Profile', to: getPageLink('profile', companyId === '' ? {} : { company_id: companyId }) },
    ...(ownsAnyCompany(session) && findOtherHome(session) === undefined ? [{ label: 'Set-up steps', to: PAGES.getStarted.path }] : []),
    ...(companies !== undefined && companies > 1 ? [{ label: 'Change company', to: PAGES.company.path }] : []),
  ];
}

/** Returns the help page of the current product. */
export function getHelpPath(pathname: string, search: string): string {
  return isOpenTaxFlow(pathname, search) ? OPEN_TAX_HELP : PAGES.instantVatHelp.path;
}

function canAddCompany({ pathname, search, session }: MenuContext): boolean {
  return !isOpenTaxFlow(pathname, search) && ownsAnyCompany(session);
}

function ownsAnyCompany(session: Session): boolean {
  return session.status === 'signed_in' && (session.person.type === 'trader' || session.person.type === 'new');
}

/** Returns the dashboard's path ({host}/dashboard?company_id=). Users without a trader's company have a different home. */
function getDashboardPath({ session, companyId }: MenuContext): string {
  const hasDashboard = companyId !== '' && (session.status !== 'signed_in' || session.person.type === 'trader');
  return hasDashboard ? getPageLink('dashboard', { company_id: companyId }) : PAGES.home.path;
}

function getDataPolicyEntry(): MenuEntry {
  return { label: 'Data policy', href: getDataPolicyUrl(), opensNewTab: true };
}

const getPath = (link: string): string => link.split('?')[0] ?? link;

function withCompany(path: string, companyId: string): string {
  return companyId === '' ? path : `${path}?${new URLSearchParams({ company_id: companyId })}`;
}
