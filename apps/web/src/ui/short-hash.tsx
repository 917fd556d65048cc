import Box from '@mui/material/Box';
import { CopyButton } from './copy-button.tsx';

/** Enough characters to tell two hashes apart at a glance. The whole hash can be copied. */
const SHOWN_CHARACTERS = 12;

/** A shortened hash with a button to copy the whole. */
export function ShortHash({ hash, what }: { hash: string; what: string }) {
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1 }}>
      <Box component="code" title={hash} sx={{ fontSize: '0.875rem' }}>
        {hash.length > SHOWN_CHARACTERS ? `${hash.slice(0, SHOWN_CHARACTERS)}…` : hash}
      </Box>
      <CopyButton text={hash} what={what} />
    </Box>
  );
}
