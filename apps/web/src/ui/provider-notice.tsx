import Box from '@mui/material/Box';
import { useSearchParams } from 'react-router';
import { readProviderOutcome } from '../lib/sign-in-providers.ts';
import { Notice } from './notice.tsx';

/** The outcome of signing in with a provider, after the browser returned from it. */
export function ProviderNotice() {
  const [search] = useSearchParams();
  const outcome = readProviderOutcome(search);
  if (outcome === undefined) return null;
  return (
    <Box sx={{ mb: 3 }}>
      <Notice tone={outcome.tone} title={outcome.title} role={outcome.tone === 'error' ? 'alert' : 'status'}>
        {outcome.text}
      </Notice>
    </Box>
  );
}
