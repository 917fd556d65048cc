/** Shown after a user has closed their account, in a browser that is no longer logged in. */
import { PAGES } from '@portal/contract/pages.ts';
import { useEffect } from 'react';
import { notifyOtherTabsOfLogOut } from '../../lib/log-out-broadcast.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { StatusPanel } from '../../ui/status-panel.tsx';

export function AccountClosedScreen() {
  useEffect(() => notifyOtherTabsOfLogOut(), []);
  return (
    <Page title="Account closed" maxWidth="form">
      <StatusPanel
        state="success"
        heading="Your account is closed"
        subHeading="We’ve sent you one last email about what has ended and what we must keep."
      >
        <Button to={PAGES.instantVatLanding.path} variant="outlined">
          Go to the home page
        </Button>
      </StatusPanel>
    </Page>
  );
}
