/** Whether HMRC is connected, how old its figures are, and reading them anew. */
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { ComponentProps } from 'react';
import { Link } from 'react-router';
import { pageLink } from '../../lib/page-link.ts';
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
      <Typography sx={{ mb: 2 }}>
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
      ) : (
        <Button component={Link} to={pageLink('linkHmrcAccount', { company_id: data.company.company_id })} variant="outlined" size="medium">
          {status === 'lapsed' ? 'Connect to HMRC again' : 'Connect to HMRC'}
        </Button>
      )}
      <Typography role="status" sx={{ mt: refresh.result ? 1 : 0, fontSize: 14, color: 'text.secondary' }}>
        {refresh.running ? '' : refresh.result}
      </Typography>
    </SectionCard>
  );
}
