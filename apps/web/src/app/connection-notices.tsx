/** Notices above every page while a connection has ended or is about to. Their bar is loaded only when needed. */
import type { PageName } from '@portal/contract/pages.ts';
import type { Page } from '@portal/contract/pages/page.ts';
import { lazy, Suspense } from 'react';
import { useLocation } from 'react-router';
import { getSavedCompanyId } from '../lib/saved-company-id.ts';
import { useSession } from '../core/session.tsx';

const ConnectionNoticeBar = lazy(() => import('./connection-notice-bar.tsx').then((file) => ({ default: file.ConnectionNoticeBar })));

export function ConnectionNotices({ page }: { page: (Page & { readonly name: PageName }) | undefined }) {
  const { session } = useSession();
  const { pathname, search } = useLocation();
  if (session.status !== 'signed_in' || page?.access !== 'signed_in') return null;
  const companyId = new URLSearchParams(search).get('company_id') ?? getSavedCompanyId();
  const notices = (session.person.grant_notices ?? []).filter(({ path, state, company_id: noticeCompanyId }) => {
    // Skip a notice on the page that fixes the connection, because that page explains the problem itself, and on the trader's dashboard for
    // its own company, which shows its problems at the top.
    if (path.startsWith(`${pathname}?`)) return false;
    return !(page.name === 'dashboard' && state === 'ended' && noticeCompanyId === companyId);
  });
  const first = notices.find(({ company_id: noticeCompanyId }) => noticeCompanyId === companyId) ?? notices[0];
  if (first === undefined) return null;
  return (
    <Suspense>
      <ConnectionNoticeBar notice={first} others={notices.filter((notice) => notice !== first)} />
    </Suspense>
  );
}
