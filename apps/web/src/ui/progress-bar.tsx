import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useId } from 'react';

type ProgressBarProps = {
  /** What is in progress, for example "Reading your VAT periods". */
  label: string;
  /** From 0 to 100. Undefined: an indeterminate bar. */
  percent?: number;
};

/** A centred linear progress bar with a label (docs/product/specification.md section 2.6). */
export function ProgressBar({ label, percent }: ProgressBarProps) {
  const id = useId();
  return (
    <Box sx={{ width: '100%', maxWidth: 400, mx: 'auto', px: 2, py: 3, textAlign: 'center' }}>
      <Typography id={id} sx={{ mb: 1.5 }}>
        {label}
      </Typography>
      <LinearProgress
        aria-labelledby={id}
        {...(percent === undefined ? {} : { variant: 'determinate' as const, value: percent, 'aria-valuetext': `${Math.round(percent)}%` })}
        sx={{
          height: 6,
          borderRadius: 3,
          bgcolor: 'primary.soft',
          '& .MuiLinearProgress-bar': { bgcolor: 'primary.tone', borderRadius: 3 },
        }}
      />
    </Box>
  );
}
