/** Redirects users to their home page. If it doesn't exist yet, says so. */
import { PAGES } from '@portal/contract/pages.ts';
import { Navigate } from 'react-router';
import { useSearchParams } from '../../lib/search-params.ts';
import { useSession } from '../../core/session.tsx';
import type { Person } from '../../core/session-state.ts';
import { describeError } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { StatusPanel } from '../../ui/status-panel.tsx';
import { Text } from '../../ui/text.tsx';
import { getHomePath } from './home-path.ts';

export function HomeScreen() {
  const { session, check } = useSession();
  const [search] = useSearchParams();
  if (session.status === 'unknown') {
    const errorLabels = describeError(session.error);
    return (
      <Page title="Home" maxWidth="form">
        <StatusPanel
          state="error"
          heading={errorLabels.heading}
          subHeading={errorLabels.text}
          onContinue={() => void check()}
          continueLabel="Try again"
        />
      </Page>
    );
  }
  if (session.status !== 'signed_in') {
    return (
      <Page title="Home" maxWidth="form">
        <CardSkeleton />
      </Page>
    );
  }
  const { person } = session;
  const path = getHomePath(person, search.get('company_id'));
  if (path !== '') return <Navigate to={path} replace />;
  return <NoScreensYet person={person} />;
}

function NoScreensYet({ person }: { person: Person }) {
  return (
    <Page title="Your pages aren’t available yet" maxWidth="text">
      <SectionCard>
        <Stack>
          <Text>
            You’re logged in as <strong>{person.full_name ?? person.email ?? 'an unnamed user'}</strong>
            {person.full_name !== undefined && person.email !== undefined && <> ({person.email})</>}.
          </Text>
          <Text>This version of the portal doesn’t have any pages for you yet.</Text>
          <Text tone="quiet">We’re keeping your account and its data. You don’t need to do anything here.</Text>
          <div>
            <Button to={PAGES.logout.path}>Log out</Button>
          </div>
        </Stack>
      </SectionCard>
    </Page>
  );
}
