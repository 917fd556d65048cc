import { PAGES } from '@portal/contract/pages.ts';
import { useLocation } from 'react-router';
import { savePostLoginPath } from '../lib/post-login-path.ts';
import { Page } from '../ui/page.tsx';
import { LinkButton } from '../ui/plain-button.tsx';
import { SectionCard } from '../ui/section-card.tsx';
import { isOpenTaxFlow } from './navigation.ts';

/**
 * Shown to visitors who open a later step of a sign-up. Steps are public pages, so there is no redirect: visitors read why they should log
 * in, and return to the step afterwards.
 */
export function StepLoginScreen() {
  const { pathname, search } = useLocation();
  const startPath = isOpenTaxFlow(pathname, search) ? PAGES.openTaxSignup.path : PAGES.stepAbout.path;
  return (
    <Page title="Log in to go on with your sign-up" maxWidth="form" lead="What you entered so far is kept. You come back to this step.">
      <SectionCard>
        <div className="p-row p-ways">
          <LinkButton to={PAGES.login.path} onClick={() => savePostLoginPath()}>
            Log in
          </LinkButton>
          <LinkButton to={startPath} variant="outlined">
            Start a new sign-up
          </LinkButton>
        </div>
        <p className="p-card-source p-text p-quiet">You have no password yet? The login page can email you a link that logs you in.</p>
      </SectionCard>
    </Page>
  );
}
