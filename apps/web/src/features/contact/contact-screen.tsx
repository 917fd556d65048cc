import { Page } from '../../ui/page.tsx';

/** The ways to reach us. */
export function ContactScreen() {
  return (
    <Page title="Contact us" maxWidth="text" lead="Write to us about a refund, a return or your account.">
      {null}
    </Page>
  );
}
