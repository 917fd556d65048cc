/** The menus' entries, in the order of docs/product/specification.md section 2.6. Pages that don't exist yet are omitted. */
import { OPEN_TAX_HELP, PAGES } from '@portal/contract/pages.ts';
import { pageLink } from '../lib/page-link.ts';
import { dataPolicyUrl } from '../lib/settings.ts';
import type { MenuEntry } from '../ui/menu-entry.tsx';
import { homeEntry } from './home-entry.ts';
import { isOpenTaxFlow } from './navigation.ts';
import type { Session } from '../core/session-state.ts';

export type MenuContext = {
  readonly pathname: string;
  readonly search: string;
  readonly session: Session;
  /** The user's number of companies. Undefined until loaded, or if the list can't be loaded. */
  readonly companies: number | undefined;
  readonly companyId: string;
  readonly logOut: () => void;
};

/** The slide-out menu for signed-in users. */
export function slideOutEntries(facts: MenuContext): MenuEntry[] {
  const { pathname, search, companies, companyId } = facts;
  const inOpenTax = isOpenTaxFlow(pathname, search);
  return [
    homeEntry(pathname, companies, companyId),
    ...(canAddCompany(facts) ? [{ label: 'Add company', to: `${PAGES.stepCompany.path}?existing_user=1` }] : []),
    dataPolicy(),
    { label: 'Help', to: helpPath(pathname, search) },
    ...(inOpenTax ? [{ label: 'Add a team member', to: withCompany(PAGES.addTeamMember.path, companyId) }] : []),
    { label: 'Log out', onChoose: facts.logOut },
  ];
}

/** The full-screen menu of the mobile layout. `tick` is the badge of the tasks entry: a green tick when no tasks are open. */
export function mobileEntries(facts: MenuContext, tick: MenuEntry['badge']): MenuEntry[] {
  return [
    { label: 'Go to dashboard', to: dashboardPath(facts) },
    { label: 'Pending tasks', to: withCompany(PAGES.pendingTasks.path, facts.companyId), badge: tick },
    { label: 'Manage connections', to: withCompany(PAGES.connections.path, facts.companyId) },
    dataPolicy(),
    { label: 'Contact us', to: PAGES.contact.path },
    { label: 'Log out', onChoose: facts.logOut },
  ];
}

/** Our own entries, listed after those of the specification: pages that have no other link. */
export function otherEntries({ session, companies, companyId }: MenuContext): MenuEntry[] {
  return [
    { label: 'Profile', to: pageLink('profile', companyId === '' ? {} : { company_id: companyId }) },
    ...(ownsCompanies(session) ? [{ label: 'What’s left to do', to: PAGES.getStarted.path }] : []),
    ...(companies !== undefined && companies > 1 ? [{ label: 'Change company', to: PAGES.company.path }] : []),
  ];
}

/** Returns the help page of the current product. */
export function helpPath(pathname: string, search: string): string {
  return isOpenTaxFlow(pathname, search) ? OPEN_TAX_HELP : PAGES.instantVatHelp.path;
}

function canAddCompany({ pathname, search, session }: MenuContext): boolean {
  return !isOpenTaxFlow(pathname, search) && ownsCompanies(session);
}

function ownsCompanies(session: Session): boolean {
  return session.status === 'signed_in' && (session.person.type === 'trader' || session.person.type === 'new');
}

/** Returns the dashboard's path ({host}/dashboard?company_id=). Users without a trader's company have another home. */
function dashboardPath({ session, companyId }: MenuContext): string {
  const hasDashboard = companyId !== '' && (session.status !== 'signed_in' || session.person.type === 'trader');
  return hasDashboard ? pageLink('dashboard', { company_id: companyId }) : PAGES.home.path;
}

function dataPolicy(): MenuEntry {
  return { label: 'Data policy', href: dataPolicyUrl(), opensNewTab: true };
}

function withCompany(path: string, companyId: string): string {
  return companyId === '' ? path : `${path}?${new URLSearchParams({ company_id: companyId })}`;
}
