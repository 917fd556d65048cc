/** Shows a practice's failed payment, or connections outside its plan, above each of its pages. */
import type { billingApi } from '@portal/contract/billing.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { PageName } from '@portal/contract/pages.ts';
import type { Page } from '@portal/contract/pages/page.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { useSession } from '../core/session.tsx';
import { getSavedCompanyId } from '../lib/saved-company-id.ts';
import { PORTAL_BASE } from '../lib/settings.ts';
import { Button } from '../ui/button.tsx';
import { NoticeBar } from './notice-bar.tsx';

type BillingNotices = EndpointOutput<typeof billingApi.notice>;

/** A plain path, because otherwise every page would load the billing schemas. */
const NOTICE_PATH = `${PORTAL_BASE}/open-tax/billing/notice`;

export function BillingNotice({ page }: { page: (Page & { readonly name: PageName }) | undefined }) {
  const { session } = useSession();
  const { pathname, search } = useLocation();
  const [{ notice, trial }, setNotices] = useState<BillingNotices>({ notice: null, trial: null });
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
  if (!isShown) return null;
  const query = `?${new URLSearchParams({ company_id: companyId })}`;
  return (
    <>
      {notice && (
        <NoticeBar
          tone="error"
          label="OpenTax payment"
          title={
            notice.state === 'read_only' ? 'Figures aren’t being refreshed: an OpenTax payment is overdue' : 'An OpenTax payment is overdue'
          }
          action={
            <Button to={`/v2/open-tax/settings/billing${query}`} size="small">
              See billing
            </Button>
          }
        >
          {notice.state === 'past_due' && `From ${formatDate(notice.read_only_from)}, we’ll stop refreshing figures. `}
          Nothing will be deleted.
        </NoticeBar>
      )}
      {trial && <TrialNotice trial={trial} query={query} />}
    </>
  );
}

type TrialNoticeProps = { trial: NonNullable<BillingNotices['trial']>; query: string };

function TrialNotice({ trial: { ends_on: endsOn, has_ended: hasEnded, no_connections_outside: outside }, query }: TrialNoticeProps) {
  const connections = `${outside.toLocaleString('en-GB')} ${outside === 1 ? 'connection' : 'connections'}`;
  return (
    <NoticeBar
      tone={hasEnded ? 'warning' : 'info'}
      label="Trial"
      title={hasEnded ? `${connections} outside your plan` : `Your practice’s trial ends on ${formatDate(endsOn)}`}
      action={
        <Button to={`/v2/instant-vat/premium/setup${query}`} size="small" variant="outlined">
          Choose connections
        </Button>
      }
    >
      {hasEnded
        ? `Your trial has ended, so we aren’t refreshing ${outside === 1 ? 'its figures' : 'their figures'}. `
        : `From then, we won’t refresh the figures of ${connections} outside your plan. `}
      Nothing will be deleted.
    </NoticeBar>
  );
}
