/** What the first screen asks, asked before the app is there. Only plain paths: the contract's shapes weigh more than all of this. */
import { findPage } from '@portal/contract/pages.ts';
import { prefetchResponse } from '../lib/prefetched-responses.ts';
import { PORTAL_BASE } from '../lib/settings.ts';

/** On a private page who is signed in; on the dashboard its figures and the company's name too. */
export function prefetchFirstData({ pathname, search }: Pick<Location, 'pathname' | 'search'>): void {
  const page = findPage(pathname.slice(PORTAL_BASE.length));
  // Public pages are not worth a race, and the demo asks nothing of the server at all.
  if (page === undefined || page.access === 'public') return;
  prefetchResponse(`${PORTAL_BASE}/v2/check-login`);
  const companyId = new URLSearchParams(search).get('company_id') ?? '';
  if (page.name !== 'dashboard' || companyId === '') return;
  const query = new URLSearchParams({ company_id: companyId });
  prefetchResponse(`${PORTAL_BASE}/instant-vat/dashboard?${query}`);
  prefetchResponse(`${PORTAL_BASE}/dashboard-company-name?${query}`);
}
