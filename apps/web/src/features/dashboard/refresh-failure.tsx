import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import { InstantText } from '../../components/formats/date-text.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { HmrcRefresh } from './use-hmrc-refresh.ts';

/** Shown if a refresh from HMRC has failed: the reason, and how old the figures on the page are. */
export function RefreshFailure({ data, refresh }: { data: DashboardOutput; refresh: HmrcRefresh }) {
  if (refresh.failure === null) return null;
  return (
    <Notice tone="warning" title="We couldn’t get new figures from HMRC">
      {refresh.failure}{' '}
      {data.hmrc.as_of && (
        <>
          Your figures from <InstantText at={data.hmrc.as_of} /> are unchanged.
        </>
      )}
    </Notice>
  );
}
