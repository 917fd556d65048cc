/** Why we verify people's identity, what they need, and the button that starts the check. */
import { PAGES } from '@portal/contract/pages.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link as RouterLink, Navigate } from 'react-router';
import { errorText } from '../../lib/error-text.ts';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { useBeginIdentityCheck, useIdentityCheck } from './use-identity-check.ts';

export function VerifyIdentityScreen() {
  const query = useIdentityCheck();
  // People who have started a check see its status instead.
  if (query.data !== undefined && query.data.status !== 'not_started') return <Navigate to={PAGES.verifyIdentityNextSteps.path} replace />;
  return (
    <Page title="Confirm who you are" maxWidth="form" lead="The law asks us to know who we pay. You do this once.">
      <LoadState query={query} skeleton={<CardSkeleton lines={4} />}>
        {() => <Invitation />}
      </LoadState>
    </Page>
  );
}

function Invitation() {
  const begin = useBeginIdentityCheck();
  return (
    <SectionCard>
      {begin.error !== null && <ErrorSummary errors={[{ field: undefined, message: errorText(begin.error) }]} />}
      <Typography sx={{ fontWeight: 500 }}>You need</Typography>
      <Box component="ul" sx={{ mt: 0.5, mb: 2, pl: 3 }}>
        <li>your passport, driving licence or biometric residence permit</li>
        <li>a phone or computer with a camera</li>
        <li>about 3 minutes</li>
      </Box>
      <Typography sx={{ color: 'text.secondary', mb: 3 }}>
        A specialist firm makes the check on its own pages and tells us only the result. We never see your pictures.
      </Typography>
      <Button
        onClick={() => begin.mutate()}
        disabled={begin.isPending}
        sx={{ width: { xs: '100%', sm: 'auto' }, maxWidth: { xs: 'none', sm: 300 } }}
      >
        {begin.isPending ? 'Opening the check ...' : 'Begin the check'}
      </Button>
      <Typography sx={{ mt: 2 }}>
        <Link component={RouterLink} to={PAGES.getStarted.path}>
          Not now: back to your list
        </Link>
      </Typography>
    </SectionCard>
  );
}
