/**
 * Requests the first screen's data before the app has loaded. Uses plain paths, because the contract's schemas are larger than the rest of
 * this script.
 */
import { findPage } from '@portal/contract/pages.ts';
import { prefetchResponse } from '../lib/prefetched-responses.ts';
import { PORTAL_BASE } from '../lib/settings.ts';

/** Requests the session on private pages; on the dashboard, also the figures and the company name. */
export function prefetchFirstData({ pathname, search }: Pick<Location, 'pathname' | 'search'>): void {
  const page = findPage(pathname.slice(PORTAL_BASE.length));
  // Public pages gain little from this, and the demo doesn't need a server.
  if (page === undefined || page.access === 'public') return;
  prefetchResponse(`${PORTAL_BASE}/v2/check-login`);
  const companyId = new URLSearchParams(search).get('company_id') ?? '';
  if (page.name !== 'dashboard' || companyId === '') return;
  const query = new URLSearchParams({ company_id: companyId });
  prefetchResponse(`${PORTAL_BASE}/instant-vat/dashboard?${query}`);
  prefetchResponse(`${PORTAL_BASE}/dashboard-company-name?${query}`);
}
