import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

type KeyFigureProps = {
  figure: ReactNode;
  /** What the figure is, with the direction of money in words. */
  label: ReactNode;
  /** Where it comes from and of when, or what it is made of. */
  details?: ReactNode;
  tone?: 'error' | undefined;
};

/** The number a card is about: the number first, its label under it, its source within reach. */
export function KeyFigure({ figure, label, details, tone }: KeyFigureProps) {
  return (
    <Box>
      <Typography
        component="p"
        sx={{
          fontSize: { xs: '1.75rem', sm: '2rem' },
          fontWeight: 600,
          lineHeight: 1.2,
          letterSpacing: '-0.01em',
          fontVariantNumeric: 'tabular-nums',
          color: tone === undefined ? 'text.primary' : `${tone}.tone`,
        }}
      >
        {figure}
      </Typography>
      <Typography sx={{ mt: 0.5, fontWeight: 500 }}>{label}</Typography>
      {details === undefined ? null : (
        <Typography variant="body2" component="div" sx={{ mt: 0.5, color: 'text.secondary' }}>
          {details}
        </Typography>
      )}
    </Box>
  );
}
