import { PAGES } from '@portal/contract/pages.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Link, useLocation } from 'react-router';
import { savePostLoginPath } from '../lib/post-login-path.ts';
import { Page } from '../ui/page.tsx';
import { SectionCard } from '../ui/section-card.tsx';
import { isOpenTaxFlow } from './navigation.ts';

/** A visitor at a step that belongs to somebody's sign-up. Steps are public pages, so nobody is sent away: they read why, and come back here after logging in. */
export function StepDoorScreen() {
  const { pathname, search } = useLocation();
  const startPath = isOpenTaxFlow(pathname, search) ? PAGES.openTaxSignup.path : PAGES.stepAbout.path;
  return (
    <Page title="Log in to go on with your sign-up" maxWidth="form" lead="What you entered so far is kept. You come back to this step.">
      <SectionCard>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5 }}>
          <Button component={Link} to={PAGES.login.path} onClick={() => savePostLoginPath()}>
            Log in
          </Button>
          <Button component={Link} to={startPath} variant="outlined">
            Start a new sign-up
          </Button>
        </Box>
        <Typography sx={{ mt: 2, color: 'text.secondary' }}>
          You have no password yet? The login page can e-mail you a link that logs you in.
        </Typography>
      </SectionCard>
    </Page>
  );
}
