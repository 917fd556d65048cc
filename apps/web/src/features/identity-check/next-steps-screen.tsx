/** The status of the identity check and the next step. The provider redirects the browser back here. */
import { PAGES } from '@portal/contract/pages.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Link, useNavigate } from 'react-router';
import { errorText } from '../../lib/error-text.ts';
import { InstantText } from '../../ui/date-text.tsx';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { StatusPanel } from '../../ui/status-panel.tsx';
import { describeIdentityCheck, describeReason, type IdentityCheck } from './identity-check-labels.ts';
import { useBeginIdentityCheck, useIdentityCheck } from './use-identity-check.ts';

export function IdentityNextStepsScreen() {
  const query = useIdentityCheck();
  return (
    <Page title="Your identity check" maxWidth="form">
      <LoadState query={query} skeleton={<CardSkeleton lines={5} />}>
        {(check) => <CheckStatus check={check} />}
      </LoadState>
    </Page>
  );
}

function CheckStatus({ check }: { check: IdentityCheck }) {
  const navigate = useNavigate();
  const begin = useBeginIdentityCheck();
  const words = describeIdentityCheck(check);
  const toList = () => void navigate(PAGES.getStarted.path);
  return (
    <SectionCard>
      {begin.error !== null && <ErrorSummary errors={[{ field: undefined, message: errorText(begin.error) }]} />}
      <StatusPanel
        state={begin.isPending ? 'loading' : words.state}
        heading={words.heading}
        subHeading={words.text}
        onContinue={words.begin === undefined ? toList : () => begin.mutate()}
        continueLabel={words.begin ?? 'Go on'}
      >
        {check.reasons.length > 0 && check.status !== 'passed' && (
          <Box sx={{ textAlign: 'left' }}>
            <Typography sx={{ fontWeight: 500 }}>{check.reasons.length === 1 ? 'The reason' : 'The reasons'}</Typography>
            <Box component="ul" sx={{ mt: 0.5, mb: 0, pl: 3 }}>
              {[...new Set(check.reasons.map(describeReason))].map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </Box>
          </Box>
        )}
        {check.completed_at !== null && (
          <Typography variant="body2" sx={{ mt: 1, color: 'text.secondary' }}>
            Decided <InstantText at={check.completed_at} />
          </Typography>
        )}
      </StatusPanel>
      {words.begin !== undefined && (
        <Box sx={{ textAlign: 'center' }}>
          <Button component={Link} to={PAGES.getStarted.path} variant="text">
            Back to your list
          </Button>
        </Box>
      )}
    </SectionCard>
  );
}
