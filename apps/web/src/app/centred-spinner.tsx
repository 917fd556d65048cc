import Box from '@mui/material/Box';
import { HiddenText } from '../ui/hidden-text.tsx';
import { Spinner } from '../ui/spinner.tsx';

/** In the middle of its place, with words for those who do not see it. */
export function CentredSpinner({ label }: { label: string }) {
  return (
    <Box aria-busy="true" sx={{ flex: 1, display: 'grid', placeItems: 'center', minHeight: 240 }}>
      <Spinner size={40} />
      <HiddenText role="status">{label}</HiddenText>
    </Box>
  );
}
