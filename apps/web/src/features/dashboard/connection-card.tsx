/** Shows whether HMRC is connected and how old its figures are, with a refresh button. The task list offers to connect. */
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import type { ComponentProps } from 'react';
import { NeedsRight } from '../../components/companies/needs-right.tsx';
import { Button } from '../../ui/button.tsx';
import { InstantText } from '../../components/formats/date-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import type { HmrcRefresh } from './use-hmrc-refresh.ts';

const STATUS: Record<DashboardOutput['hmrc']['status'], ComponentProps<typeof StateChip>> = {
  connected: { label: 'Connected', icon: 'check', tone: 'success' },
  lapsed: { label: 'Ended', icon: 'errorCircle', tone: 'error' },
  declined: { label: 'No permission', icon: 'warning', tone: 'warning' },
  not_connected: { label: 'Not connected', icon: 'warning', tone: 'warning' },
};

export function ConnectionCard({ data, refresh }: { data: DashboardOutput; refresh: HmrcRefresh }) {
  const { status, as_of: asOf } = data.hmrc;
  return (
    <SectionCard title="HMRC connection" aside={<StateChip {...STATUS[status]} />}>
      <Stack align="start">
        <Text>
          {asOf ? (
            <>
              Updated from HMRC on <InstantText at={asOf} />
            </>
          ) : status === 'connected' ? (
            'We’re getting your figures from HMRC.'
          ) : (
            'No figures from HMRC yet.'
          )}
        </Text>
        {status === 'connected' && (
          <NeedsRight companyId={data.company.company_id} access="company.prepare">
            <Button variant="outlined" onClick={refresh.start} isBusy={refresh.running}>
              {refresh.running ? 'Refreshing' : 'Refresh from HMRC'}
            </Button>
          </NeedsRight>
        )}
      </Stack>
      <Text role="status" size="small" tone="quiet">
        {refresh.running ? '' : refresh.result}
      </Text>
    </SectionCard>
  );
}
