/** The links of the main navigation for each kind of user. Links to pages that don't exist yet are omitted. */
import { findPage, OPEN_TAX_HELP, PAGES } from '@portal/contract/pages.ts';
import { PRACTICE_SECTIONS } from '../components/practice/practice-sections.ts';
import type { Session } from '../core/session-state.ts';
import type { NavigationLink } from '../lib/navigation-link.ts';
import { isOpenTaxFlow } from './navigation.ts';

export type Navigation = {
  readonly label: string;
  readonly links: readonly NavigationLink[];
  /** Links that don't fit in the header. Its "More" menu shows them instead. */
  readonly otherLinks?: readonly NavigationLink[];
};

const TRADER: readonly NavigationLink[] = [
  { label: 'Overview', to: PAGES.dashboard.path, paths: [PAGES.pendingTasks.path] },
  { label: 'VAT returns', to: PAGES.vatReturns.path, paths: [PAGES.vatReturn.path] },
  { label: 'Refunds', to: PAGES.advance.path, paths: [PAGES.shortfallLetter.path] },
  { label: 'Books', to: PAGES.books.path },
  { label: 'Documents', to: PAGES.documents.path },
  { label: 'Connections', to: PAGES.connections.path, paths: [PAGES.linkHmrcAccount.path, PAGES.companyPeople.path] },
  { label: 'Help', to: PAGES.instantVatHelp.path },
];

const PRACTICE: readonly NavigationLink[] = [...PRACTICE_SECTIONS, { label: 'Help', to: OPEN_TAX_HELP }];

/** The pages that operators use all day. */
const OPERATOR_WORK: readonly NavigationLink[] = [
  { label: 'Work queue', to: PAGES.adminQueues.path, paths: [PAGES.adminAdvance.path, PAGES.adminPromise.path, PAGES.adminExposure.path] },
  { label: 'Companies', to: PAGES.adminCompanies.path, paths: [PAGES.adminCompany.path] },
  { label: 'Reconciliation', to: PAGES.adminReconciliation.path },
  { label: 'Shortfalls', to: PAGES.adminShortfalls.path, paths: [PAGES.adminShortfall.path] },
  { label: 'Ledger', to: PAGES.adminLedger.path },
];
const OPERATOR_OTHER: readonly NavigationLink[] = [
  { label: 'Messages', to: PAGES.adminMessages.path },
  { label: 'Screening', to: PAGES.adminScreening.path },
  { label: 'Partners', to: PAGES.adminPartners.path },
  { label: 'Prices', to: PAGES.adminPricing.path },
  { label: 'Billing', to: PAGES.adminBilling.path },
  { label: 'Jobs', to: PAGES.adminJobs.path },
  { label: 'Health', to: PAGES.adminHealth.path },
  { label: 'Audit', to: PAGES.adminAudit.path },
  { label: 'People', to: PAGES.adminPeople.path },
  { label: 'Profile', to: PAGES.profile.path },
];

export const OPERATOR_NAVIGATION: Navigation = { label: 'Operators', links: OPERATOR_WORK, otherLinks: OPERATOR_OTHER };

/** Returns the user's navigation on this page, for this company, or undefined for visitors. */
export function getNavigation(session: Session, pathname: string, search: string, companyId: string): Navigation | undefined {
  if (session.status !== 'signed_in') return undefined;
  const { type } = session.person;
  if (type === 'operator') return OPERATOR_NAVIGATION;
  // Without a company or practice, every page would say so.
  if (type === 'new') return undefined;
  const isPractice = type === 'practice' || isOpenTaxFlow(pathname, search);
  return isPractice
    ? { label: 'OpenTax', links: withCompany(PRACTICE, companyId) }
    : type === 'trader'
      ? { label: 'InstantVAT', links: withCompany(TRADER, companyId) }
      : undefined;
}

function withCompany(links: readonly NavigationLink[], companyId: string): NavigationLink[] {
  const query = companyId === '' ? '' : `?${new URLSearchParams({ company_id: companyId })}`;
  return links.filter(({ to }) => findPage(to) !== undefined).map((link) => ({ ...link, to: `${link.to}${query}` }));
}
