/** Everything that needs the user's action, across all their companies: problems first, then tasks with a deadline. */
import { PAGES } from '@portal/contract/pages.ts';
import { tasksApi, type PendingTask } from '@portal/contract/tasks.ts';
import { useQuery } from '@tanstack/react-query';
import { useOtherHome, type OtherHome } from '../../core/other-home.ts';
import { apiQuery } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { AllDoneIllustration } from '../../ui/illustrations.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { Heading } from '../../ui/text.tsx';
import { TaskCard } from './task-card.tsx';

export function PendingTasksScreen() {
  const query = useQuery(apiQuery(tasksApi.list, {}));
  const home = useOtherHome();
  return (
    <Page
      title="Pending tasks"
      maxWidth="text"
      lead={
        home
          ? `What you need to do for your own account. ${home.meaning}`
          : 'Everything you need to do for all your companies. This list updates each time you open it.'
      }
    >
      <LoadState query={query} skeleton={<CardSkeleton lines={4} />}>
        {({ tasks }) => (tasks.length === 0 ? <NoTasks home={home} /> : <Tasks tasks={tasks} />)}
      </LoadState>
    </Page>
  );
}

function Tasks({ tasks }: { tasks: readonly PendingTask[] }) {
  const problems = tasks.filter(({ level }) => level === 'problem');
  const otherTasks = tasks.filter(({ level }) => level !== 'problem');
  const datedTasks = otherTasks.filter(hasDay);
  const undatedTasks = otherTasks.filter((task) => !hasDay(task));
  const companies = new Set(tasks.flatMap(({ company }) => (company ? [company.company_id] : []))).size;
  const sections = [
    { title: 'Needs attention', tasks: problems },
    { title: 'With a deadline', tasks: datedTasks },
    { title: undatedTasks.length < tasks.length ? 'When you’re ready' : 'To do', tasks: undatedTasks },
  ].filter((section) => section.tasks.length > 0);
  return (
    <Stack gap={32}>
      {sections.map((section, place) => (
        <Stack as="section" key={section.title} aria-labelledby={`tasks-${place}`}>
          <Heading level={2} id={`tasks-${place}`}>
            {section.title} ({section.tasks.length})
          </Heading>
          <Stack as="ol">
            {section.tasks.map((task, index) => (
              <li key={task.task_id}>
                <TaskCard task={task} isPrimary={place === 0 && index === 0} showsCompany={companies > 1} />
              </li>
            ))}
          </Stack>
        </Stack>
      ))}
    </Stack>
  );
}

const hasDay = ({ due_on, ends_at }: PendingTask): boolean => due_on !== null || ends_at !== null;

function NoTasks({ home }: { home: OtherHome | undefined }) {
  return (
    <EmptyState
      framed
      illustration={<AllDoneIllustration />}
      title="No pending tasks"
      text={home ? 'Your account is complete.' : 'You’re up to date. Check back when your VAT period ends.'}
    >
      <Button to={home?.to ?? PAGES.home.path} variant="outlined">
        {home?.action ?? 'Go to dashboard'}
      </Button>
    </EmptyState>
  );
}
