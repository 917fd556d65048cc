import { Page } from '../../ui/page.tsx';

/** What is connected to what, how it is, and how to mend it. */
export function ConnectionsScreen() {
  return (
    <Page title="Connections" maxWidth="text">
      {null}
    </Page>
  );
}
