/** Whether HMRC is connected, how old its figures are, and reading them anew. Connecting is a problem's way out, at the top of the page. */
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { ComponentProps } from 'react';
import { InstantText } from '../../ui/date-text.tsx';
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
      <Typography sx={{ mb: status === 'connected' ? 2 : 0 }}>
        {asOf ? (
          <>
            HMRC’s figures as of <InstantText at={asOf} />
          </>
        ) : (
          'HMRC’s figures have not been read yet.'
        )}
      </Typography>
      {status === 'connected' ? (
        <Button variant="outlined" size="medium" onClick={refresh.start} loading={refresh.running} loadingPosition="start">
          {refresh.running ? 'Asking HMRC' : 'Refresh from HMRC'}
        </Button>
      ) : null}
      <Typography role="status" sx={{ mt: refresh.result ? 1 : 0, fontSize: 14, color: 'text.secondary' }}>
        {refresh.running ? '' : refresh.result}
      </Typography>
    </SectionCard>
  );
}
