/** One task: what to do, why, by when, and a link to the page for it. */
import type { PendingTask } from '@portal/contract/tasks.ts';
import clsx from 'clsx';
import { useId } from 'react';
import { Button } from '../../ui/button.tsx';
import { DateText, InstantText } from '../../components/formats/date-text.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import styles from './task-card.module.css';
import { getUrgency } from './urgency.ts';

const ICONS: Readonly<Record<PendingTask['subject'], IconName>> = {
  return: 'file',
  advance: 'bank',
  connection: 'refresh',
  books: 'upload',
  bank: 'bank',
  company: 'info',
  person: 'lock',
};

export function TaskCard({ task, isPrimary, showsCompany }: { task: PendingTask; isPrimary: boolean; showsCompany: boolean }) {
  const id = useId();
  const urgency = getUrgency(task);
  return (
    <article aria-labelledby={id} className={clsx(styles.card, task.level === 'problem' && styles.problem)}>
      <Icon name={ICONS[task.subject]} className={styles.icon} />
      <Stack gap={4}>
        <Row gap={8}>
          <Heading level={3} id={id}>
            {task.title}
          </Heading>
          {urgency && <StateChip {...urgency} />}
        </Row>
        <Text tone="quiet">{task.why}</Text>
        <TaskDueText task={task} />
        {showsCompany && task.company && (
          <Text size="small" weight="medium" className={styles.company}>
            {task.company.name}
          </Text>
        )}
      </Stack>
      <Button to={task.path} variant={isPrimary ? 'filled' : 'outlined'} size="small" aria-describedby={id} className={styles.action}>
        {task.action}
      </Button>
    </article>
  );
}

function TaskDueText({ task: { due_on, ends_at, overdue, working_days_left: days } }: { task: PendingTask }) {
  if (due_on === null && ends_at === null) return null;
  const timeLeft =
    days === null ? '' : days === 0 ? ' (today is the last working day)' : `, ${days} working ${days === 1 ? 'day' : 'days'} left`;
  return (
    <Text size="small">
      {due_on === null ? (
        ends_at && (
          <>
            Offer open until <InstantText at={ends_at} />
          </>
        )
      ) : (
        <>
          {overdue ? 'Was due on ' : 'Due by '}
          <DateText date={due_on} />
          {!overdue && timeLeft}
        </>
      )}
    </Text>
  );
}
