/** Recovery codes, shown once: to copy, save as a file or print. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import GlobalStyles from '@mui/material/GlobalStyles';
import Typography from '@mui/material/Typography';
import { brandName } from '../../lib/settings.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';

const PRINT = {
  '@media print': {
    'body *:not(.recovery-codes, :has(.recovery-codes), .recovery-codes *)': { display: 'none !important' },
    '.recovery-codes button, .recovery-codes a': { display: 'none' },
  },
};

type RecoveryCodesProps = { codes: readonly string[]; email: string; close: () => void };

export function RecoveryCodes({ codes, email, close }: RecoveryCodesProps) {
  const title = `Recovery codes of ${email} at ${brandName()}`;
  const text = `${title}\nEach works once, instead of a code from your app.\n\n${codes.join('\n')}\n`;
  return (
    <Box className="recovery-codes">
      <GlobalStyles styles={PRINT} />
      <Notice tone="warning" title="Keep these recovery codes now" role="status">
        We show them this once. If you lose your phone, one of them logs you in instead of your app. Each works once.
      </Notice>
      <Typography component="h4" variant="h3" sx={{ mt: 3, mb: 1, overflowWrap: 'anywhere' }}>
        {title}
      </Typography>
      <Box
        component="ul"
        aria-label="Recovery codes"
        sx={{
          listStyle: 'none',
          m: 0,
          p: 2,
          display: 'grid',
          gridTemplateColumns: 'repeat(auto-fill, minmax(150px, 1fr))',
          gap: 1,
          border: 1,
          borderColor: 'divider',
          borderRadius: 1,
          fontFamily: 'ui-monospace, Menlo, Consolas, monospace',
        }}
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </Box>
      <Box sx={{ mt: 2, mb: 3, display: 'flex', flexWrap: 'wrap', gap: 1.5 }}>
        <CopyButton text={codes.join('\n')} what="recovery codes" />
        <Button
          variant="outlined"
          size="small"
          component="a"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="recovery-codes.txt"
          startIcon={<Icon name="download" />}
        >
          Download
        </Button>
        <Button variant="outlined" size="small" onClick={() => print()}>
          Print
        </Button>
      </Box>
      <Button onClick={close}>I have kept them</Button>
    </Box>
  );
}
