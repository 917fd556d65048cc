import Box from '@mui/material/Box';
import { Icon, type IconName } from './icons.tsx';
import { Spinner } from './spinner.tsx';

/** The five states of the specification's status panel. */
export type PanelState = 'success' | 'error' | 'warning' | 'pending' | 'loading';

const LOOK: Readonly<Record<Exclude<PanelState, 'loading'>, { icon: IconName; role: 'success' | 'error' | 'warning' | 'info' }>> = {
  success: { icon: 'check', role: 'success' },
  error: { icon: 'close', role: 'error' },
  warning: { icon: 'warning', role: 'warning' },
  pending: { icon: 'clock', role: 'info' },
};

/** The picture of a state, 80 by 80. */
export function StateIcon({ state }: { state: PanelState }) {
  const size = { width: 80, height: 80, display: 'grid', placeItems: 'center', borderRadius: '50%' } as const;
  if (state === 'loading') {
    return (
      <Box sx={size}>
        <Spinner size={64} />
      </Box>
    );
  }
  const { icon, role } = LOOK[state];
  return (
    <Box sx={{ ...size, bgcolor: `${role}.soft`, color: `${role}.tone` }}>
      <Icon name={icon} sx={{ fontSize: 44 }} />
    </Box>
  );
}
