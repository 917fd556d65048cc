/** Parts of a task that the list, the board and the dialog show in the same way. */
import type { WorkItem } from '@portal/contract/work-items.ts';
import { WORK_STATUS_NAMES, WORK_STATUSES, type WorkStatus } from '@portal/domain/work-items/work-item.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { DateText } from '../../components/formats/date-text.tsx';
import { getPageLink } from '../../lib/page-link.ts';
import { Select } from '../../ui/input.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { formatTaskCount, type useWorkChanges } from './use-work.ts';

export type Changes = ReturnType<typeof useWorkChanges>;

export function WorkDue({ item, today }: { item: WorkItem; today: PlainDate }) {
  if (item.due_on === null) return <Text as="span">–</Text>;
  const isOverdue = item.status !== 'done' && item.due_on < today;
  return (
    <Text as="span" tone={isOverdue ? 'error' : undefined} weight={isOverdue ? 'medium' : 'regular'}>
      <DateText date={item.due_on} style="short" />
      {isOverdue && ' (overdue)'}
    </Text>
  );
}

export function WorkClient({ companyId, item }: { companyId: string; item: WorkItem }) {
  if (item.client === null) return <Text as="span">–</Text>;
  return (
    <TextLink to={getPageLink('clientDashboard', { company_id: companyId, client_company_id: item.client.client_id })}>
      {item.client.name}
    </TextLink>
  );
}

export function WorkStatusSelect({ item, changes }: { item: WorkItem; changes: Changes }) {
  const { isPending, variables } = changes.change;
  const chosenStatus = isPending && variables.input.item_ids.includes(item.item_id) ? variables.input.status : undefined;
  return (
    <Select
      small
      aria-label={`Status of ${item.title}`}
      value={chosenStatus ?? item.status}
      disabled={isPending}
      onChange={({ target }) => {
        const status = target.value as WorkStatus;
        changes.change.mutate({
          input: { item_ids: [item.item_id], status },
          formatMessage: () => `${item.title}: ${WORK_STATUS_NAMES[status].toLowerCase()}`,
        });
      }}
    >
      {WORK_STATUSES.map((status) => (
        <option key={status} value={status}>
          {WORK_STATUS_NAMES[status]}
        </option>
      ))}
    </Select>
  );
}

/** Describes progress, for example “2 of 3 · 1 comment”. */
export function describeProgress({ checklist_done: doneCount, checklist_total: total, comments }: WorkItem): string {
  return [
    total === 0 ? '' : `${doneCount} of ${total} done`,
    comments === 0 ? '' : `${comments} ${comments === 1 ? 'comment' : 'comments'}`,
  ]
    .filter((text) => text !== '')
    .join(' · ');
}

export const createChangeFormatter = (actionText: string) => (count: number) => `${formatTaskCount(count)} ${actionText}`;
