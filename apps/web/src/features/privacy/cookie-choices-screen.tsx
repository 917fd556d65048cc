import { Page } from '../../ui/page.tsx';

/** Which cookies the visitor allows; can be changed at any time. */
export function CookieChoicesScreen() {
  return (
    <Page title="Cookie choices" maxWidth="text" lead="What we may keep in your browser beyond what the portal needs.">
      {null}
    </Page>
  );
}
