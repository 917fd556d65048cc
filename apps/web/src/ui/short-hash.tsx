import Box from '@mui/material/Box';
import { CopyButton } from './copy-button.tsx';

/** So many characters tell two fingerprints apart at a glance; the whole is copied. */
const SHOWN = 12;

/** A fingerprint, shortened, with the whole of it a click away. */
export function ShortHash({ hash, what }: { hash: string; what: string }) {
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1 }}>
      <Box component="code" title={hash} sx={{ fontSize: '0.875rem' }}>
        {hash.length > SHOWN ? `${hash.slice(0, SHOWN)}…` : hash}
      </Box>
      <CopyButton text={hash} what={what} />
    </Box>
  );
}
