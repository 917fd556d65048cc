/** One connection: its name, status, details and action. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useId, type ReactNode } from 'react';
import { Link as RouterLink } from 'react-router';
import type { Role } from '../../core/tokens.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { StateChip } from '../../ui/state-chip.tsx';

type ConnectionRowProps = {
  icon: IconName;
  title: string;
  state: { readonly label: string; readonly icon: IconName; readonly tone: Role };
  children: ReactNode;
  action: { readonly label: string; readonly to: string };
  /** Whether this is the connection to fix first. */
  isMain?: boolean;
};

export function ConnectionRow({ icon, title, state, children, action, isMain = false }: ConnectionRowProps) {
  const id = useId();
  return (
    <Box
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'auto 1fr', sm: 'auto 1fr auto' },
        columnGap: 2,
        rowGap: 1.5,
        alignItems: 'center',
        p: { xs: 2, sm: 2.5 },
        '& + &': { borderTop: 1, borderColor: 'divider' },
      }}
    >
      <Icon name={icon} sx={{ color: 'text.secondary', alignSelf: 'start', mt: '2px' }} />
      <Box sx={{ minWidth: 0 }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1.5, rowGap: 0.5, alignItems: 'center' }}>
          <Typography id={id} component="h3" variant="h3">
            {title}
          </Typography>
          <StateChip {...state} />
        </Box>
        <Typography component="div" sx={{ mt: 0.5, color: 'text.secondary', overflowWrap: 'anywhere', '& > dl + *': { mt: { sm: 1 } } }}>
          {children}
        </Typography>
      </Box>
      <Button
        component={RouterLink}
        to={action.to}
        variant={isMain ? 'contained' : 'outlined'}
        size="small"
        aria-describedby={id}
        sx={{ gridColumn: { xs: '1 / -1', sm: 'auto' }, whiteSpace: 'nowrap', minWidth: 176 }}
      >
        {action.label}
      </Button>
    </Box>
  );
}
