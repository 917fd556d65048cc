import Box from '@mui/material/Box';
import { Icon, type IconName } from './icons.tsx';
import { Spinner } from './spinner.tsx';

/** The five states of the status panel (docs/product/specification.md section 2.6). */
export type PanelState = 'success' | 'error' | 'warning' | 'pending' | 'loading';

const ICONS: Readonly<Record<Exclude<PanelState, 'loading'>, { icon: IconName; role: 'success' | 'error' | 'warning' | 'info' }>> = {
  success: { icon: 'check', role: 'success' },
  error: { icon: 'close', role: 'error' },
  warning: { icon: 'warning', role: 'warning' },
  pending: { icon: 'clock', role: 'info' },
};

/** Accessible names of the icons, used if there is no heading. */
const LABELS: Readonly<Record<PanelState, string>> = {
  success: 'Done',
  error: 'Error',
  warning: 'Warning',
  pending: 'Waiting',
  loading: 'Loading',
};

/** The icon of a state, 80 by 80 px. `isNamed`: gives the icon an accessible name, if nothing else states the state. */
export function StateIcon({ state, isNamed = false }: { state: PanelState; isNamed?: boolean }) {
  const size = { width: 80, height: 80, display: 'grid', placeItems: 'center', borderRadius: '50%' } as const;
  const nameProps = isNamed ? { role: 'img', 'aria-label': LABELS[state] } : {};
  if (state === 'loading') {
    return (
      <Box {...nameProps} sx={size}>
        <Spinner size={64} />
      </Box>
    );
  }
  const { icon, role } = ICONS[state];
  return (
    <Box {...nameProps} sx={{ ...size, bgcolor: `${role}.soft`, color: `${role}.tone` }}>
      <Icon name={icon} sx={{ fontSize: 44 }} />
    </Box>
  );
}
