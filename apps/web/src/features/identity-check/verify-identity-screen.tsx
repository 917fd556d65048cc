/** Explains why we verify users' identity and what they need, with the button that starts the check. */
import { IDENTITY_RULE } from '@portal/domain/advances/identity-rule.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { Navigate } from 'react-router';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { useIdentityCheck, useStartIdentityCheck } from './use-identity-check.ts';
import styles from './identity-check.module.css';

export function VerifyIdentityScreen() {
  const query = useIdentityCheck();
  // Users who have started a check see its status instead.
  if (query.data !== undefined && query.data.status !== 'not_started') return <Navigate to={PAGES.verifyIdentityNextSteps.path} replace />;
  return (
    <Page title="Verify your identity" maxWidth="form" lead={`${IDENTITY_RULE} You only do this once.`}>
      <LoadState query={query} skeleton={<CardSkeleton lines={4} />}>
        {() => <Invitation />}
      </LoadState>
    </Page>
  );
}

function Invitation() {
  const startCheck = useStartIdentityCheck();
  return (
    <SectionCard>
      {startCheck.error !== null && <ErrorSummary errors={[{ field: undefined, message: getErrorText(startCheck.error) }]} />}
      <Stack gap={16}>
        <div>
          <Text weight="medium">You’ll need:</Text>
          <ul className={styles.bullets}>
            <li>your passport, driving licence or biometric residence permit</li>
            <li>a phone or computer with a camera</li>
            <li>about 3 minutes</li>
          </ul>
        </div>
        <Text tone="quiet">
          A specialist company carries out the check on its own website and only gives us the result. We never see your photos.
        </Text>
        <ButtonRow>
          <Button onClick={() => startCheck.mutate()} disabled={startCheck.isPending || startCheck.isSuccess}>
            {startCheck.isPending || startCheck.isSuccess ? 'Opening the check…' : 'Start identity check'}
          </Button>
          <Button to={PAGES.getStarted.path} variant="text">
            Not now
          </Button>
        </ButtonRow>
      </Stack>
    </SectionCard>
  );
}
