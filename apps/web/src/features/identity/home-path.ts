import { PAGES } from '@portal/contract/pages.ts';
import type { Person } from '../../core/session-state.ts';
import { getPageLink } from '../../lib/page-link.ts';

/**
 * Returns the page that /home redirects a user to, or "" if there is none. {host}/dashboard?company_id= also redirects to /home
 * (docs/product/specification.md section 2.4), so the company in the URL takes precedence.
 */
export function getHomePath({ type, home_path = '' }: Person, companyId: string | null): string {
  if (!home_path.startsWith('/') || home_path === PAGES.home.path) return '';
  if (companyId === null || companyId === '') return home_path;
  if (type === 'trader') return getPageLink('dashboard', { company_id: companyId });
  if (type === 'client') return getPageLink('clientsPortalDashboard', { company_id: companyId });
  return home_path.startsWith(PAGES.practiceDashboard.path) ? getPageLink('practiceDashboard', { company_id: companyId }) : home_path;
}
