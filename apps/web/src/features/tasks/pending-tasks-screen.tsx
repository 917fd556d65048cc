import { Page } from '../../ui/page.tsx';

/** Everything that waits for the person, across all their companies. */
export function PendingTasksScreen() {
  return (
    <Page title="Pending tasks" maxWidth="text">
      {null}
    </Page>
  );
}
