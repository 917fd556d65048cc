/** Everything that needs the person's action, across all their companies. Tasks with a deadline come first. */
import { PAGES } from '@portal/contract/pages.ts';
import { tasksApi, type PendingTask } from '@portal/contract/tasks.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import { useOtherWork } from '../../core/other-work.ts';
import { apiQuery } from '../../lib/api.ts';
import { Icon } from '../../ui/icons.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { TaskCard } from './task-card.tsx';

export function PendingTasksScreen() {
  const query = useQuery(apiQuery(tasksApi.list, {}));
  return (
    <Page
      title="Pending tasks"
      maxWidth="text"
      lead="What waits for you, in all your companies. The list is made anew each time you open it."
    >
      <LoadState query={query} skeleton={<CardSkeleton lines={4} />}>
        {({ tasks }) => (tasks.length === 0 ? <NothingPending /> : <Tasks tasks={tasks} />)}
      </LoadState>
    </Page>
  );
}

function Tasks({ tasks }: { tasks: readonly PendingTask[] }) {
  const withDay = tasks.filter(hasDay);
  const others = tasks.filter((task) => !hasDay(task));
  const companies = new Set(tasks.flatMap(({ company }) => (company ? [company.company_id] : []))).size;
  const sections = [
    { title: 'With a deadline', tasks: withDay },
    { title: withDay.length > 0 ? 'When you are ready' : 'To do', tasks: others },
  ].filter((section) => section.tasks.length > 0);
  return (
    <Box sx={{ display: 'grid', gap: 4 }}>
      {sections.map((section, place) => (
        <Box component="section" key={section.title} aria-labelledby={`tasks-${place}`}>
          <Typography id={`tasks-${place}`} variant="h2" sx={{ mb: 2 }}>
            {section.title} ({section.tasks.length})
          </Typography>
          <Box component="ol" sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 2 }}>
            {section.tasks.map((task, index) => (
              <li key={task.task_id}>
                <TaskCard task={task} isMain={place === 0 && index === 0} namesCompany={companies > 1} />
              </li>
            ))}
          </Box>
        </Box>
      ))}
    </Box>
  );
}

const hasDay = ({ due_on, ends_at }: PendingTask): boolean => due_on !== null || ends_at !== null;

function NothingPending() {
  const work = useOtherWork();
  return (
    <Box
      sx={{
        display: 'grid',
        justifyItems: 'center',
        gap: 1,
        p: { xs: 3, sm: 5 },
        textAlign: 'center',
        bgcolor: 'background.paper',
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
      }}
    >
      <Icon name="checkCircle" sx={{ fontSize: 56, color: 'success.tone' }} />
      <Typography variant="h2">Nothing is pending</Typography>
      <Typography sx={{ color: 'text.secondary', maxWidth: 420 }}>
        {work?.meaning ?? 'No return is due to be filed, and no offer or connection needs you. Look again when a VAT period ends.'}
      </Typography>
      <Button component={RouterLink} to={work?.to ?? PAGES.home.path} variant="outlined" sx={{ mt: 2 }}>
        {work?.action ?? 'Go to dashboard'}
      </Button>
    </Box>
  );
}
