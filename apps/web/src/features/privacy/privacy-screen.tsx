import { Page } from '../../ui/page.tsx';

/** The data policy: what we keep about people, why and for how long. */
export function PrivacyScreen() {
  return (
    <Page title="Data policy" maxWidth="text" lead="What we keep about you, why, who sees it and for how long.">
      {null}
    </Page>
  );
}
