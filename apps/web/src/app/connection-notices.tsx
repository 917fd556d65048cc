/** What stands above every page of a person's while a connection to HMRC has ended or soon will: loaded only where there is something to say. */
import type { Page, PageName } from '@portal/contract/pages.ts';
import { lazy, Suspense } from 'react';
import { useLocation } from 'react-router';
import { getSavedCompanyId } from '../lib/company-id.ts';
import { useSession } from '../core/session.tsx';

const GrantNoticeBar = lazy(() => import('./connection-notice-bar.tsx').then((file) => ({ default: file.ConnectionNoticeBar })));

export function ConnectionNotices({ page }: { page: (Page & { readonly name: PageName }) | undefined }) {
  const { session } = useSession();
  const { pathname, search } = useLocation();
  if (session.status !== 'signed_in' || page?.access !== 'signed_in') return null;
  const companyId = new URLSearchParams(search).get('company_id') ?? getSavedCompanyId();
  const notices = (session.person.grant_notices ?? []).filter(({ path, state, company_id: of }) => {
    // Where it is mended the page itself says more; and a trader's dashboard begins with what is wrong with the company in view.
    if (path.startsWith(`${pathname}?`)) return false;
    return !(page.name === 'dashboard' && state === 'ended' && of === companyId);
  });
  const first = notices.find(({ company_id: of }) => of === companyId) ?? notices[0];
  if (first === undefined) return null;
  return (
    <Suspense>
      <GrantNoticeBar notice={first} others={notices.filter((one) => one !== first)} />
    </Suspense>
  );
}
