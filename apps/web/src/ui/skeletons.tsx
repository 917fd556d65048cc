import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';

/** A card still to come. */
export function CardSkeleton({ lines = 3 }: { lines?: number }) {
  return (
    <Box sx={{ bgcolor: 'background.paper', border: 1, borderColor: 'divider', borderRadius: 1, p: { xs: 2, sm: 3 } }}>
      <Skeleton width="40%" height={28} />
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} width={`${90 - line * 12}%`} height={24} />
      ))}
    </Box>
  );
}

/** A table still to come, in the height of its rows. */
export function TableSkeleton({ rows = 6 }: { rows?: number }) {
  return (
    <Box sx={{ bgcolor: 'background.paper', border: 1, borderColor: 'divider', borderRadius: 1, px: 2 }}>
      {Array.from({ length: rows }, (_, row) => (
        <Box
          key={row}
          sx={{ height: 44, display: 'flex', alignItems: 'center', borderBottom: row < rows - 1 ? 1 : 0, borderColor: 'divider' }}
        >
          <Skeleton width={`${80 - (row % 3) * 10}%`} height={20} />
        </Box>
      ))}
    </Box>
  );
}

/** A page of cards still to come. */
export function PageSkeleton() {
  return (
    <Box sx={{ display: 'grid', gap: 3 }}>
      <CardSkeleton lines={2} />
      <CardSkeleton lines={4} />
    </Box>
  );
}
