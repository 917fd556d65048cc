import { PAGES } from '@portal/contract/pages.ts';
import { useLocation } from 'react-router';
import { savePostLoginPath } from '../lib/post-login-path.ts';
import { Page } from '../ui/page.tsx';
import { Button } from '../ui/button.tsx';
import { ButtonRow } from '../ui/button-row.tsx';
import { Stack } from '../ui/layout.tsx';
import { Text } from '../ui/text.tsx';
import { SectionCard } from '../ui/section-card.tsx';
import { isOpenTaxFlow } from './navigation.ts';

/**
 * Shown to visitors who open a later step of a sign-up. Steps are public pages, so this doesn't redirect but explains why visitors should
 * log in. Afterwards, they return to the step.
 */
export function StepLoginScreen() {
  const { pathname, search } = useLocation();
  const startPath = isOpenTaxFlow(pathname, search) ? PAGES.openTaxSignup.path : PAGES.stepAbout.path;
  return (
    <Page title="Log in to continue your sign-up" maxWidth="form" lead="We’ve saved what you entered. You’ll return to this step.">
      <SectionCard>
        <Stack>
          <ButtonRow>
            <Button to={PAGES.login.path} onClick={() => savePostLoginPath()}>
              Log in
            </Button>
            <Button to={startPath} variant="outlined">
              Start a new sign-up
            </Button>
          </ButtonRow>
          <Text size="small" tone="quiet">
            No password yet? We can email you a link to log in.
          </Text>
        </Stack>
      </SectionCard>
    </Page>
  );
}
