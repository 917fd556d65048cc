import { formatDate } from '@portal/domain/plain-date.ts';
import { formatConnections } from '@portal/domain/pricing/format-connections.ts';
import { Button } from '../ui/button.tsx';
import type { BillingNotices } from './billing-notice.tsx';
import { NoticeBar } from './notice-bar.tsx';

type BillingNoticeBarsProps = BillingNotices & { companyId: string };

/** What is wrong with a practice's payment, and which connections are outside its plan. */
export function BillingNoticeBars({ companyId, notice, trial }: BillingNoticeBarsProps) {
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
  const connections = formatConnections(outside);
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
