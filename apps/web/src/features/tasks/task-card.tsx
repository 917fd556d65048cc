/** One task: what, why, by when, and the button that opens the page where it is done. */
import type { PendingTask } from '@portal/contract/tasks.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { Link as RouterLink } from 'react-router';
import { DateText, InstantText } from '../../ui/date-text.tsx';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
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

export function TaskCard({ task, isMain, namesCompany }: { task: PendingTask; isMain: boolean; namesCompany: boolean }) {
  const id = useId();
  const urgency = getUrgency(task);
  return (
    <Box
      component="article"
      aria-labelledby={id}
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'auto 1fr', sm: 'auto 1fr auto' },
        columnGap: 2,
        rowGap: 1.5,
        alignItems: 'center',
        p: { xs: 2, sm: 2.5 },
        bgcolor: 'background.paper',
        border: 1,
        borderColor: task.overdue ? 'error.tone' : 'divider',
        borderRadius: 1,
      }}
    >
      <Icon name={ICONS[task.subject]} sx={{ color: 'text.secondary', alignSelf: 'start', mt: '2px' }} />
      <Box sx={{ minWidth: 0 }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1.5, rowGap: 0.5, alignItems: 'center' }}>
          <Typography id={id} component="h3" variant="h3">
            {task.title}
          </Typography>
          {urgency && <StateChip {...urgency} />}
        </Box>
        <Typography sx={{ mt: 0.5, color: 'text.secondary' }}>{task.why}</Typography>
        <When task={task} />
        {namesCompany && task.company && (
          <Typography variant="body2" sx={{ mt: 0.5, fontWeight: 500, overflowWrap: 'anywhere' }}>
            {task.company.name}
          </Typography>
        )}
      </Box>
      <Button
        component={RouterLink}
        to={task.path}
        variant={isMain ? 'contained' : 'outlined'}
        size="small"
        aria-describedby={id}
        sx={{ gridColumn: { xs: '1 / -1', sm: 'auto' }, whiteSpace: 'nowrap', minWidth: 148 }}
      >
        {task.action}
      </Button>
    </Box>
  );
}

function When({ task: { due_on, ends_at, overdue, working_days_left: days } }: { task: PendingTask }) {
  if (due_on === null && ends_at === null) return null;
  const left = days === null ? '' : days === 0 ? ', the last day' : `, ${days} working ${days === 1 ? 'day' : 'days'} left`;
  return (
    <Typography variant="body2" sx={{ mt: 0.5 }}>
      {due_on === null ? (
        ends_at && (
          <>
            The offer stands until <InstantText at={ends_at} />
          </>
        )
      ) : (
        <>
          {overdue ? 'Was due on ' : 'By '}
          <DateText date={due_on} />
          {overdue ? '' : left}
        </>
      )}
    </Typography>
  );
}
