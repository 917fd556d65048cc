import Box from '@mui/material/Box';
import type { Role } from '../app/tokens.ts';
import { Icon, type IconName } from './icons.tsx';

/** A state in a word, an icon and a tone: colour never speaks alone. */
export function StateChip({ label, icon, tone }: { label: string; icon: IconName; tone: Role }) {
  return (
    <Box
      component="span"
      sx={{
        display: 'inline-flex',
        alignItems: 'center',
        gap: 0.75,
        px: 1,
        py: 0.25,
        borderRadius: 1,
        bgcolor: `${tone}.soft`,
        color: `${tone}.tone`,
        fontSize: '0.875rem',
        fontWeight: 600,
        lineHeight: 1.45,
      }}
    >
      <Icon name={icon} sx={{ fontSize: 18 }} />
      {label}
    </Box>
  );
}
