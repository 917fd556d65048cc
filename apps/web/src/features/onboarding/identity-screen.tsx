/** The last onboarding step: leads to the identity check, which the payout needs and an offer doesn't. */
import { identityCheckApi } from '@portal/contract/identity-check.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { ButtonRow } from '../../ui/button-row.tsx';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { apiQuery } from '../../lib/api.ts';
import { pageLink } from '../../lib/page-link.ts';
import { LoadState } from '../../ui/load-state.tsx';
import { StepPage } from './step-page.tsx';

type StatusTexts = { text: string; act: string; to: string };

const NEXT_STEPS_PATH = PAGES.verifyIdentityNextSteps.path;

/** Text and link for each status of the check. */
const STATUS_TEXTS: Readonly<Record<'not_started' | 'pending' | 'passed' | 'failed' | 'expired' | 'needs_review', StatusTexts>> = {
  not_started: {
    text: 'You need a passport, driving licence or residence permit, a camera, and about 3 minutes.',
    act: 'Confirm who you are',
    to: PAGES.verifyIdentity.path,
  },
  pending: { text: 'You have begun the check, and it is not finished yet.', act: 'Go on with the check', to: NEXT_STEPS_PATH },
  passed: { text: 'Your identity is confirmed. You have taken every step.', act: 'See the result', to: NEXT_STEPS_PATH },
  failed: { text: 'The check did not pass. See why, and what you can do.', act: 'See why', to: NEXT_STEPS_PATH },
  expired: { text: 'The check ran out of time. You can begin a new one.', act: 'Begin again', to: NEXT_STEPS_PATH },
  needs_review: { text: 'A person is looking at your check. You need do nothing now.', act: 'See where it stands', to: NEXT_STEPS_PATH },
};

export function IdentityStepScreen() {
  const check = useQuery(apiQuery(identityCheckApi.find, {}));
  return (
    <StepPage
      step="identity"
      title="Your identity"
      lead="The law asks us to know who we pay. You can see an offer without it; we pay once it is done."
    >
      {({ company_id }) => (
        <LoadState query={check}>
          {({ status }) => {
            const dashboard = company_id === null ? PAGES.home.path : pageLink('dashboard', { company_id });
            return (
              <>
                <Typography sx={{ mb: 3 }}>{STATUS_TEXTS[status].text}</Typography>
                <ButtonRow>
                  {status === 'passed' ? (
                    <Button component={Link} to={dashboard}>
                      Go to your dashboard
                    </Button>
                  ) : (
                    <>
                      <Button component={Link} to={STATUS_TEXTS[status].to}>
                        {STATUS_TEXTS[status].act}
                      </Button>
                      <Button component={Link} to={dashboard} variant="text">
                        Later: go to your dashboard
                      </Button>
                    </>
                  )}
                </ButtonRow>
              </>
            );
          }}
        </LoadState>
      )}
    </StepPage>
  );
}
