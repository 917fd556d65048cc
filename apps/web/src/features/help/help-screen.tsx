import { Page } from '../../ui/page.tsx';

/** Help, at any address that ends in /help. */
export function HelpScreen() {
  return (
    <Page title="Help" maxWidth="text" lead="How the refund advance, filing and your connections work.">
      {null}
    </Page>
  );
}
