import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import { tasksApi } from '@portal/contract/tasks.ts';
import { useQuery } from '@tanstack/react-query';
import { ClaimedRefund, describeClaim, findClaimedRefund, isClaimedElsewhere } from '../../components/advances/claimed-refund.tsx';
import { NeedsRight } from '../../components/companies/needs-right.tsx';
import { apiQuery } from '../../lib/api.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { RequoteButton } from './requote-button.tsx';

type NoAdvanceProps = { reason: string | null; companyId: string; dashboard: DashboardOutput };

/** Shown if there is no offer on any refund: the reason, and how to get one. */
export function NoAdvance({ reason, companyId, dashboard }: NoAdvanceProps) {
  // The task that leads to a refund, with the dashboard's own words and button.
  const tasks = useQuery(apiQuery(tasksApi.list, {}));
  const task = tasks.data?.tasks.find(({ company, refund }) => company?.company_id === companyId && refund !== null);
  const claimed = findClaimedRefund(dashboard);
  return (
    <SectionCard title="No offer yet">
      {claimed ? (
        <ClaimedRefund claimed={claimed} companyId={companyId} />
      ) : (
        <Stack align="start">
          <Text measure>{task?.why ?? reason}</Text>
          {task ? (
            <Button to={task.path}>{task.action}</Button>
          ) : (
            <Button to={getPageLink('dashboard', { company_id: companyId })}>Go to the dashboard</Button>
          )}
        </Stack>
      )}
    </SectionCard>
  );
}

/** Shown if there is no offer on the refund of one return. */
export function NoOfferOnReturn({ reason, companyId, dashboard, obligationId }: NoAdvanceProps & { obligationId: string }) {
  const obligation = dashboard.obligations.find(({ obligation_id }) => obligation_id === obligationId);
  return (
    <SectionCard title="No offer yet">
      <Stack align="start">
        <Text measure>{obligation && isClaimedElsewhere(obligation) ? describeClaim(obligation) : reason}</Text>
        <NeedsRight companyId={companyId} access="company.accept_advance" to="get an offer">
          <RequoteButton companyId={companyId} obligationId={obligationId} label="Get an offer" />
        </NeedsRight>
      </Stack>
    </SectionCard>
  );
}

/** A refund claimed with other software, above the advance on an earlier one. */
export function OtherClaimedRefund({ companyId, dashboard }: Omit<NoAdvanceProps, 'reason'>) {
  const claimed = findClaimedRefund(dashboard);
  return (
    claimed && (
      <SectionCard title="Another refund">
        <ClaimedRefund claimed={claimed} companyId={companyId} />
      </SectionCard>
    )
  );
}
