/** Connects the practice to HMRC, and explains what we will and won't see. Users enter their HMRC password only on HMRC's site. */
import { practiceApi } from '@portal/contract/practice.ts';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { AgentConnection } from '../../components/practice/agent-connection.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { PracticeStepPage, type OwnPractice } from './practice-step-page.tsx';
import { getLinkAfterStep, getPracticeStepLink } from '../../lib/practice-steps.ts';

export function HmrcScreen() {
  return (
    <PracticeStepPage
      step="hmrc"
      title="Connect HMRC"
      lead="You do this once for all the clients who’ve authorised your practice. You sign in on HMRC’s website and give permission, which lasts 18 months."
    >
      {(practice) => <Connection known={practice} />}
    </PracticeStepPage>
  );
}

function Connection({ known }: { known: OwnPractice }) {
  const navigate = useNavigate();
  const { company_id, practice, hmrc } = known;
  const goToNextStep = () => navigate(getLinkAfterStep('hmrc', known));
  const postpone = useMutation({ mutationFn: () => apiRequest(practiceApi.postponeHmrc, { company_id }), onSuccess: goToNextStep });
  const isConnected = hmrc.status === 'connected' || hmrc.status === 'ending';
  return (
    <>
      {postpone.error !== null && <ErrorSummary errors={[{ field: undefined, message: getErrorText(postpone.error) }]} />}
      <AgentConnection
        companyId={company_id}
        arn={practice.arn}
        hmrc={hmrc}
        returnTo="steps"
        arnPath={getPracticeStepLink('arn', company_id)}
        otherActions={
          isConnected ? (
            <Button onClick={() => void goToNextStep()}>Continue</Button>
          ) : (
            <Button variant="text" onClick={() => postpone.mutate()} disabled={postpone.isPending}>
              Do this later
            </Button>
          )
        }
      />
    </>
  );
}
