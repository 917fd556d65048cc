import CircularProgress from '@mui/material/CircularProgress';

/** Something is under way; what it is stands beside it in words. */
export function Spinner({ size = 24 }: { size?: number }) {
  return <CircularProgress aria-hidden="true" size={size} thickness={4} sx={{ color: 'primary.tone' }} />;
}
