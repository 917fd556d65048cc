/** What is left for the person to do; the contract's paths are pages of the portal. */
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import { SectionCard } from '../../ui/section-card.tsx';
import { listFurtherTasks } from './list-further-tasks.ts';

export function TasksCard({ data, isMain }: { data: DashboardOutput; isMain: boolean }) {
  const tasks = listFurtherTasks(data);
  if (tasks.length === 0 && data.tasks.length > 0) return null;
  return (
    <SectionCard title={tasks.length === 0 ? 'To do' : `To do (${tasks.length})`}>
      {tasks.length === 0 ? (
        <Typography>You are set up. There is nothing left to do.</Typography>
      ) : (
        <Box component="ol" sx={{ listStyle: 'none', p: 0, m: 0, display: 'grid', gap: 1 }}>
          {tasks.map((task, index) => (
            <li key={task.task}>
              <Button
                component={Link}
                to={task.path}
                variant={isMain && index === 0 ? 'contained' : 'outlined'}
                size="medium"
                sx={{ width: '100%', maxWidth: 'none', justifyContent: 'flex-start', textAlign: 'left' }}
              >
                {task.title}
              </Button>
            </li>
          ))}
        </Box>
      )}
    </SectionCard>
  );
}
