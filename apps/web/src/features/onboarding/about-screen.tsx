/** The first step: a visitor signs up; a signed-in user adds their name and phone number. */
import type { Progress } from '@portal/contract/onboarding.ts';
import { PersonForm } from '../../components/people/person-form.tsx';
import { useSession } from '../../core/session.tsx';
import { describeError } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { StatusPanel } from '../../ui/status-panel.tsx';
import { ConfirmPhone } from './confirm-phone.tsx';
import { SignUpForm } from './sign-up-form.tsx';
import { StepPage } from './step-page.tsx';
import { getLinkAfter, useGoToNextStep } from './use-progress.ts';

export function AboutScreen() {
  const { session, check } = useSession();
  if (session.status === 'signed_out') return <SignUpForm />;
  if (session.status === 'signed_in') {
    return (
      <StepPage step="about" title="About you" lead="We’ll only call if we need you to do something about a refund.">
        {(progress) => (
          <>
            <AboutForm progress={progress} />
            <ConfirmPhone />
          </>
        )}
      </StepPage>
    );
  }
  return (
    <Page title="About you" maxWidth="text">
      {session.status === 'checking' ? (
        <CardSkeleton lines={5} />
      ) : (
        <StatusPanel state="error" {...getErrorTexts(session.error)} onContinue={() => void check()} continueLabel="Try again" />
      )}
    </Page>
  );
}

function getErrorTexts(error: unknown) {
  const { heading, text } = describeError(error);
  return { heading, subHeading: text };
}

function AboutForm({ progress }: { progress: Progress }) {
  const goToNextStep = useGoToNextStep();
  const isDone = progress.steps.find(({ step }) => step === 'about')?.status === 'done';
  return (
    <PersonForm
      person={progress.about}
      startsChanged={!isDone}
      submitLabel="Save and continue"
      otherActions={
        isDone && (
          <Button to={getLinkAfter('about', progress)} variant="text">
            Continue without changes
          </Button>
        )
      }
      onSaved={() => goToNextStep(progress.company_id)}
    />
  );
}
