import { PAGES } from '@portal/contract/pages.ts';
import { ButtonRow } from '../../ui/button-row.tsx';
import Button from '@mui/material/Button';
import MuiLink from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import { PORTAL_BASE } from '../../lib/settings.ts';
import { Page } from '../../ui/page.tsx';

/** Shown for links that leave the demo: steps and menus need a real account. */
export function NotInDemo({ home, openSignUp }: { home: string; openSignUp: () => void }) {
  return (
    <Page
      title="This part needs your own account"
      maxWidth="text"
      lead="The demo shows the dashboard, a VAT return and the advance. Sign up to connect your own VAT account, books and bank."
    >
      <ButtonRow>
        <Button onClick={openSignUp}>Sign up</Button>
        <Button component={Link} to={home} variant="outlined">
          Back to the demo
        </Button>
      </ButtonRow>
      <Typography sx={{ mt: 3 }}>
        Already have an account? <MuiLink href={`${PORTAL_BASE}${PAGES.login.path}`}>Log in</MuiLink>
      </Typography>
    </Page>
  );
}
