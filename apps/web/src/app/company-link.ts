import { PAGES } from '@portal/contract/pages.ts';
import type { CompanyKind } from '@portal/domain/identity/roles.ts';
import { getPageLink } from '../lib/page-link.ts';

/** Pages that every trader's company has. On any other page, switching company opens the overview. */
const SHARED_PATHS: readonly string[] = [
  PAGES.vatReturns.path,
  PAGES.advance.path,
  PAGES.books.path,
  PAGES.documents.path,
  PAGES.connections.path,
];

/** Returns the page to open when switching to this company: the same page if it has one, otherwise its home. */
export function getCompanyLink(
  { company_id, kind }: { readonly company_id: string; readonly kind: CompanyKind },
  pathname: string,
): string {
  if (kind === 'practice') return getPageLink('practiceDashboard', { company_id });
  if (kind === 'client') return getPageLink('clientsPortalDashboard', { company_id });
  const path = pathname.replace(/\/+$/, '');
  return SHARED_PATHS.includes(path) ? `${path}?${new URLSearchParams({ company_id })}` : getPageLink('dashboard', { company_id });
}
