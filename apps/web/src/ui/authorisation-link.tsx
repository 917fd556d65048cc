import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { CopyButton } from './copy-button.tsx';

/** The HMRC address where the client accepts the request, to copy into an email from the practice. */
export function AuthorisationLink({ url, tax }: { url: string; tax: string }) {
  return (
    <Box sx={{ mt: 1.5, p: 1.5, borderRadius: 1, bgcolor: 'background.default', border: 1, borderColor: 'divider' }}>
      <Typography variant="body2" sx={{ fontWeight: 500, mb: 0.5 }}>
        The client’s page at HMRC
      </Typography>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
        <Box component="code" sx={{ flex: '1 1 220px', minWidth: 0, overflowWrap: 'anywhere', fontSize: '0.875rem' }}>
          {url}
        </Box>
        <CopyButton text={url} what={`link for ${tax}`} />
      </Box>
    </Box>
  );
}
