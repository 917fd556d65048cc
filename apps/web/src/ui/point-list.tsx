import Box from '@mui/material/Box';
import { Icon, type IconName } from './icons.tsx';

type PointListProps = { points: readonly string[]; icon?: IconName; tone?: string };

/** A list of short statements, each with the same icon. */
export function PointList({ points, icon = 'check', tone = 'success.tone' }: PointListProps) {
  return (
    <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 1 }}>
      {points.map((point) => (
        <Box component="li" key={point} sx={{ display: 'flex', gap: 1 }}>
          <Icon name={icon} sx={{ fontSize: 20, mt: '2px', color: tone }} />
          <span>{point}</span>
        </Box>
      ))}
    </Box>
  );
}
