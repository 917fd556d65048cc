/** One column for each status. A task moves by its status field, so that the board works with the keyboard and on a phone. */
import type { WorkItem } from '@portal/contract/work-items.ts';
import { WORK_STATUS_NAMES, WORK_STATUSES, type WorkStatus } from '@portal/domain/work-items/work-item.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { Button } from '../../ui/button.tsx';
import { Grid, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { describeProgress, WorkClient, WorkDue, WorkStatusSelect, type Changes } from './work-facts.tsx';
import type { WorkFilters } from './work-filters.tsx';
import { useWorkPages } from './work-list.tsx';
import styles from './work-board.module.css';

type WorkBoardProps = { companyId: string; filters: WorkFilters; changes: Changes; onOpen: (id: string) => void };

export function WorkBoard(props: WorkBoardProps) {
  return (
    <Grid minColumn={240}>
      {WORK_STATUSES.map((status) => (
        <Column key={status} status={status} {...props} />
      ))}
    </Grid>
  );
}

function Column({ status, companyId, filters, changes, onOpen }: WorkBoardProps & { status: WorkStatus }) {
  const query = useWorkPages(companyId, { ...filters, status }, 25);
  return (
    <SectionCard title={WORK_STATUS_NAMES[status]}>
      <LoadState query={query} skeleton={<CardSkeleton lines={3} />}>
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items);
          const today = pages[0]?.today;
          if (items.length === 0 || today === undefined) return <Text tone="quiet">No tasks</Text>;
          return (
            <Stack gap={12}>
              <Stack as="ul" gap={12} aria-label={WORK_STATUS_NAMES[status]}>
                {items.map((item) => (
                  <li key={item.item_id} className={styles.card}>
                    <Card {...{ companyId, item, today, changes, onOpen }} />
                  </li>
                ))}
              </Stack>
              {query.hasNextPage && (
                <Button variant="outlined" size="small" onClick={() => void query.fetchNextPage()} isBusy={query.isFetchingNextPage}>
                  Show more
                </Button>
              )}
            </Stack>
          );
        }}
      </LoadState>
    </SectionCard>
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
