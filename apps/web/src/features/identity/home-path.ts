import { PAGES } from '@portal/contract/pages.ts';
import type { Person } from '../../core/session-state.ts';
import { pageLink } from '../../lib/page-link.ts';

/**
 * Where /home leads a person. {host}/dashboard?company_id= comes here too (specification 2.4): of several companies the one that was named opens.
 * Empty for whom there is no page.
 */
export function homePathOf({ type, home_path = '' }: Person, companyId: string | null): string {
  if (type === 'client' || !home_path.startsWith('/') || home_path === PAGES.home.path) return '';
  if (companyId === null || companyId === '') return home_path;
  if (type === 'trader') return pageLink('dashboard', { company_id: companyId });
  return home_path.startsWith(PAGES.practiceDashboard.path) ? pageLink('practiceDashboard', { company_id: companyId }) : home_path;
}
