/**
 * Whether HMRC is connected, how old its figures are, and a refresh button. The problems panel at the top of the page offers to connect.
 */
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import type { ComponentProps } from 'react';
import { InstantText } from '../../ui/date-text.tsx';
import { PlainButton } from '../../ui/plain-button.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import type { HmrcRefresh } from './use-hmrc-refresh.ts';

const STATUS: Record<DashboardOutput['hmrc']['status'], ComponentProps<typeof StateChip>> = {
  connected: { label: 'Connected', icon: 'check', tone: 'success' },
  lapsed: { label: 'Ended', icon: 'errorCircle', tone: 'error' },
  declined: { label: 'Not allowed', icon: 'warning', tone: 'warning' },
  not_connected: { label: 'Not connected', icon: 'warning', tone: 'warning' },
};

export function ConnectionCard({ data, refresh }: { data: DashboardOutput; refresh: HmrcRefresh }) {
  const { status, as_of: asOf } = data.hmrc;
  return (
    <SectionCard title="Connection to HMRC" aside={<StateChip {...STATUS[status]} />}>
      <p className={status === 'connected' ? 'p-dash-read' : 'p-text'}>
        {asOf ? (
          <>
            HMRC’s figures as of <InstantText at={asOf} />
          </>
        ) : (
          'HMRC’s figures have not been read yet.'
        )}
      </p>
      {status === 'connected' ? (
        <PlainButton variant="outlined" size="medium" onClick={refresh.start} isBusy={refresh.running}>
          {refresh.running ? 'Asking HMRC' : 'Refresh from HMRC'}
        </PlainButton>
      ) : null}
      <p role="status" className="p-dash-came">
        {refresh.running ? '' : refresh.result}
      </p>
    </SectionCard>
  );
}
