/** Shows a practice's failed payment, or connections outside its plan, above each of its pages. */
import type { billingApi } from '@portal/contract/billing.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { PageName } from '@portal/contract/pages.ts';
import type { Page } from '@portal/contract/pages/page.ts';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { useSession } from '../core/session.tsx';
import { getSavedCompanyId } from '../lib/saved-company-id.ts';
import { PORTAL_BASE } from '../lib/settings.ts';

export type BillingNotices = EndpointOutput<typeof billingApi.notice>;

const BillingNoticeBars = lazy(() => import('./billing-notice-bars.tsx').then((file) => ({ default: file.BillingNoticeBars })));

/** A plain path, because otherwise every page would load the billing schemas. */
const NOTICE_PATH = `${PORTAL_BASE}/open-tax/billing/notice`;

export function BillingNotice({ page }: { page: (Page & { readonly name: PageName }) | undefined }) {
  const { session } = useSession();
  const { pathname, search } = useLocation();
  const [notices, setNotices] = useState<BillingNotices>({ notice: null, trial: null });
  const companyId = new URLSearchParams(search).get('company_id') ?? getSavedCompanyId();
  const isShown =
    session.status === 'signed_in' && session.person.type === 'practice' && page?.header === 'practitioner' && companyId !== '';
  useEffect(() => {
    if (!isShown) return undefined;
    const controller = new AbortController();
    fetch(`${NOTICE_PATH}?${new URLSearchParams({ company_id: companyId })}`, { signal: controller.signal })
      .then(async (response) => (response.ok ? setNotices((await response.json()) as BillingNotices) : undefined))
      // The page below already shows that the server can't be reached.
      .catch(() => undefined);
    return () => controller.abort();
  }, [isShown, companyId, pathname]);
  if (!isShown || (notices.notice === null && notices.trial === null)) return null;
  return (
    <Suspense fallback={null}>
      <BillingNoticeBars companyId={companyId} {...notices} />
    </Suspense>
  );
}
