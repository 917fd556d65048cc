/** One column per status. Users move a task with its status field, so that the board works with a keyboard and on a phone. */
import { workItemsApi, type WorkItem } from '@portal/contract/work-items.ts';
import { WORK_STATUS_NAMES, type WorkStatus } from '@portal/domain/work-items/work-item.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { Grid, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { describeProgress, WorkClient, WorkDue, WorkStatusSelect, type Changes } from './work-facts.tsx';
import type { WorkFilters } from './work-filters.tsx';
import styles from './work-board.module.css';

type WorkBoardProps = {
  companyId: string;
  filters: WorkFilters;
  changes: Changes;
  onOpen: (id: string) => void;
  /** Returns a link to the list of tasks with a status, keeping the filters. */
  toList: (status: WorkStatus) => string;
};

export function WorkBoard({ companyId, filters: { status: _status, ...filters }, changes, onOpen, toList }: WorkBoardProps) {
  const query = useQuery({ ...apiQuery(workItemsApi.board, { company_id: companyId, ...filters }), enabled: companyId !== '' });
  return (
    <LoadState query={query} skeleton={<CardSkeleton lines={6} />}>
      {({ columns, today }) => (
        <Grid minColumn={240}>
          {columns.map(({ status, items, has_more: hasMore }) => (
            <SectionCard key={status} title={WORK_STATUS_NAMES[status]}>
              {items.length === 0 && <Text tone="quiet">No tasks</Text>}
              <Stack gap={12}>
                <Stack as="ul" gap={12} aria-label={WORK_STATUS_NAMES[status]}>
                  {items.map((item) => (
                    <li key={item.item_id} className={styles.card}>
                      <Card {...{ companyId, item, today, changes, onOpen }} />
                    </li>
                  ))}
                </Stack>
                {hasMore && <TextLink to={toList(status)}>All tasks in “{WORK_STATUS_NAMES[status]}”</TextLink>}
              </Stack>
            </SectionCard>
          ))}
        </Grid>
      )}
    </LoadState>
  );
}

type CardProps = Pick<WorkBoardProps, 'companyId' | 'changes' | 'onOpen'> & { item: WorkItem; today: PlainDate };

function Card({ companyId, item, today, changes, onOpen }: CardProps) {
  const progress = describeProgress(item);
  return (
    <Stack gap={8}>
      <Button variant="text" size="small" fit="flush" startAligned onClick={() => onOpen(item.item_id)}>
        {item.title}
      </Button>
      {item.client !== null && (
        <Text size="small">
          <WorkClient companyId={companyId} item={item} />
        </Text>
      )}
      <Text size="small">
        {item.due_on !== null && (
          <>
            Due <WorkDue item={item} today={today} />
            {' · '}
          </>
        )}
        {item.owner?.full_name ?? 'Unassigned'}
      </Text>
      {progress !== '' && (
        <Text size="small" tone="quiet">
          {progress}
        </Text>
      )}
      <WorkStatusSelect item={item} changes={changes} />
    </Stack>
  );
}
