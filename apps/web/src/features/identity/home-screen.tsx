/** Redirects traders, practices and operators to their home. Other people see that their screens don't exist yet. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { PAGES } from '@portal/contract/pages.ts';
import { Link, Navigate, useSearchParams } from 'react-router';
import { useSession } from '../../core/session.tsx';
import type { Person } from '../../core/session-state.ts';
import { describeError } from '../../lib/error-text.ts';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { StatusPanel } from '../../ui/status-panel.tsx';
import { getHomePath } from './home-path.ts';

export function HomeScreen() {
  const { session, check } = useSession();
  const [search] = useSearchParams();
  if (session.status === 'unknown') {
    const words = describeError(session.error);
    return (
      <Page title="Home" maxWidth="form">
        <StatusPanel
          state="error"
          heading={words.heading}
          subHeading={words.text}
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

const AREAS: Readonly<Record<string, string>> = {
  client: 'You are a client of an accounting practice. The clients’ screens (OpenTax) are not part of this version of the portal.',
};

function NoScreensYet({ person }: { person: Person }) {
  return (
    <Page title="Your pages are not here yet" maxWidth="text">
      <SectionCard>
        <Typography>
          You are logged in as <strong>{person.full_name ?? person.email ?? 'a person without a name'}</strong>
          {person.full_name !== undefined && person.email !== undefined && <> ({person.email})</>}.
        </Typography>
        <Typography sx={{ mt: 1.5 }}>{AREAS[person.type ?? ''] ?? 'There is no page for you in this version of the portal.'}</Typography>
        <Typography sx={{ mt: 1.5, color: 'text.secondary' }}>Your account and its data are kept. Nothing is due from you here.</Typography>
        <Box sx={{ mt: 3 }}>
          <Button component={Link} to={PAGES.logout.path}>
            Log out
          </Button>
        </Box>
      </SectionCard>
    </Page>
  );
}
