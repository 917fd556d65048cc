import Box from '@mui/material/Box';
import { CardSkeleton, TableSkeleton } from '../../ui/skeletons.tsx';

/** The dashboard's shape while it loads: the same columns, so that nothing jumps. */
export function DashboardSkeleton() {
  return (
    <Box sx={{ display: 'grid', gap: { xs: 2, md: 3 }, gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'repeat(2, minmax(0, 1fr))' } }}>
      <Box sx={{ gridColumn: '1 / -1' }}>
        <CardSkeleton lines={1} />
      </Box>
      <CardSkeleton lines={3} />
      <CardSkeleton lines={3} />
      <CardSkeleton lines={7} />
      <CardSkeleton lines={3} />
      <Box sx={{ gridColumn: '1 / -1' }}>
        <TableSkeleton rows={6} />
      </Box>
    </Box>
  );
}
