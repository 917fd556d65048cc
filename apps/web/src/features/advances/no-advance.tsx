import { tasksApi } from '@portal/contract/tasks.ts';
import { useQuery } from '@tanstack/react-query';
import { NeedsRight } from '../../components/companies/needs-right.tsx';
import { apiQuery } from '../../lib/api.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { RequoteButton } from './requote-button.tsx';

type NoAdvanceProps = { reason: string | null; companyId: string; obligationId: string | undefined };

/** Shown if there is no offer: the reason, and how to get one. */
export function NoAdvance({ reason, companyId, obligationId }: NoAdvanceProps) {
  // The task that leads to a refund, with the dashboard's own words and button.
  const tasks = useQuery({ ...apiQuery(tasksApi.list, {}), enabled: obligationId === undefined });
  const task = tasks.data?.tasks.find(({ company, refund }) => company?.company_id === companyId && refund !== null);
  return (
    <SectionCard title="No offer yet">
      <Stack align="start">
        <Text measure>{task?.why ?? reason ?? 'When HMRC owes you a VAT refund, you can get it here within 24 hours.'}</Text>
        {obligationId !== undefined ? (
          <NeedsRight companyId={companyId} access="company.accept_advance" to="get an offer">
            <RequoteButton companyId={companyId} obligationId={obligationId} label="Get an offer" />
          </NeedsRight>
        ) : task ? (
          <Button to={task.path}>{task.action}</Button>
        ) : (
          <Button to={getPageLink('dashboard', { company_id: companyId })}>Go to the dashboard</Button>
        )}
      </Stack>
    </SectionCard>
  );
}
