/** Shows what to do next, from the same list as /pending-tasks and the menu. The first task has the screen's only filled button. */
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import clsx from 'clsx';
import { useId } from 'react';
import { Button } from '../../ui/button.tsx';
import { DateText, InstantText } from '../../components/formats/date-text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import styles from './tasks-card.module.css';

type Task = DashboardOutput['tasks'][number];

export function TasksCard({ data }: { data: DashboardOutput }) {
  const [first, ...otherTasks] = data.tasks;
  const id = useId();
  if (first === undefined) return <NoTasksCard data={data} />;
  return (
    <section className={clsx(styles.card, first.level === 'problem' && styles.problem)} aria-labelledby={id}>
      <Heading level={2} id={id}>
        To do ({data.tasks.length})
      </Heading>
      <NextTask task={first} />
      {otherTasks.length > 0 && (
        <ol className={styles.list}>
          {otherTasks.map((task) => (
            <FurtherTask key={task.task_id} task={task} />
          ))}
        </ol>
      )}
    </section>
  );
}

function NextTask({ task }: { task: Task }) {
  const id = useId();
  return (
    <div className={styles.next}>
      <Stack gap={8}>
        <Row gap={8} wrap={false} align="start">
          {task.level === 'problem' && <Icon name="errorCircle" tone="error" title="Problem" />}
          <Heading level={3} id={id}>
            {task.title}
          </Heading>
        </Row>
        <Text measure size={task.refund ? 'large' : 'body'}>
          {task.why}
        </Text>
        {task.refund && (
          <Text size="small" tone="quiet">
            After our fee of {formatPounds(task.refund.fee_pence)}
          </Text>
        )}
        <TaskDueText task={task} />
      </Stack>
      <Button to={task.path} aria-describedby={id} className={styles.main}>
        {task.action}
      </Button>
    </div>
  );
}

function FurtherTask({ task }: { task: Task }) {
  const id = useId();
  return (
    <li className={styles.task}>
      <div className={styles.words}>
        <Text id={id} weight="medium">
          {task.title}
        </Text>
        <TaskDueText task={task} />
      </div>
      <Button to={task.path} variant="outlined" size="small" aria-describedby={id}>
        {task.action}
      </Button>
    </li>
  );
}

function TaskDueText({ task: { due_on, ends_at, overdue, working_days_left: days } }: { task: Task }) {
  if (due_on !== null) {
    return (
      <Text size="small" tone={overdue ? 'error' : 'quiet'}>
        {overdue ? 'Overdue since ' : 'Due by '}
        <DateText date={due_on} />
        {!overdue && days !== null && ` · ${days} working ${days === 1 ? 'day' : 'days'} left`}
      </Text>
    );
  }
  if (ends_at === null) return null;
  return (
    <Text size="small" tone="quiet">
      Open until <InstantText at={ends_at} />
    </Text>
  );
}

/** Shown if there is nothing to do: describes what happens next automatically. */
function NoTasksCard({ data: { advance, next_deadline: deadline } }: { data: DashboardOutput }) {
  const stage = advance?.timeline.find(({ status }) => status === 'current');
  return (
    <Notice tone="success" title="You’re up to date">
      {stage && `${stage.title}. ${stage.detail} `}
      {deadline ? `Your next return is due on ${formatDate(deadline.due_on)}.` : 'We’ll show your next return here when HMRC opens it.'}
    </Notice>
  );
}
