/** The last onboarding step: the refund we found, and the identity check, which is needed for the payout but not for an offer. */
import { IDENTITY_RULE } from '@portal/domain/advances/identity-rule.ts';
import { identityCheckApi } from '@portal/contract/identity-check.ts';
import type { OwnerIdentityStatus } from '@portal/domain/advances/advance-statuses.ts';
import type { Progress } from '@portal/contract/onboarding.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Text } from '../../ui/text.tsx';
import { RefundFound } from './refund-found.tsx';
import { StepPage } from './step-page.tsx';
import { useRefundFinding } from './use-refund-finding.ts';
import styles from './identity-screen.module.css';

/** Describes each status, with the label of the link to its page. A check that hasn't been started is started on this page instead. */
const STATUS_TEXTS: Readonly<Record<Exclude<OwnerIdentityStatus, 'not_started'>, { text: string; action: string }>> = {
  pending: { text: 'You’ve started the check but haven’t finished it.', action: 'Continue the check' },
  passed: { text: 'Your identity is verified. You’ve completed every step.', action: 'See the result' },
  failed: { text: 'We couldn’t verify your identity. See why and what you can do.', action: 'See why' },
  expired: { text: 'The check timed out. You can start a new one.', action: 'Start again' },
  needs_review: { text: 'We’re reviewing your check. You don’t need to do anything.', action: 'See its status' },
};

export function IdentityStepScreen() {
  const check = useQuery(apiQuery(identityCheckApi.find, {}));
  return (
    <StepPage step="identity" title="Verify your identity" lead={`${IDENTITY_RULE} You can see and accept an offer before you do this.`}>
      {(progress) => (
        <Stack gap={24}>
          <Found progress={progress} />
          <LoadState query={check}>{({ status }) => <IdentityCheck status={status} companyId={progress.company_id} />}</LoadState>
        </Stack>
      )}
    </StepPage>
  );
}

function Found({ progress }: { progress: Progress }) {
  const finding = useRefundFinding(progress.company_id ?? '', progress.hmrc.status === 'connected');
  if (finding.status !== 'found' && finding.status !== 'reading') return null;
  return <RefundFound finding={finding} />;
}

function IdentityCheck({ status, companyId }: { status: OwnerIdentityStatus; companyId: string | null }) {
  const dashboard = companyId === null ? PAGES.home.path : getPageLink('dashboard', { company_id: companyId });
  if (status === 'not_started') return <StartCheck dashboard={dashboard} />;
  const { text, action } = STATUS_TEXTS[status];
  return (
    <Stack gap={24}>
      <Text>{text}</Text>
      <ButtonRow>
        {status === 'passed' ? (
          <Button to={dashboard}>Go to your dashboard</Button>
        ) : (
          <>
            <Button to={PAGES.verifyIdentityNextSteps.path}>{action}</Button>
            <Button to={dashboard} variant="text">
              Do this later
            </Button>
          </>
        )}
      </ButtonRow>
    </Stack>
  );
}

function StartCheck({ dashboard }: { dashboard: string }) {
  const startCheck = useMutation({
    mutationFn: () => apiRequest(identityCheckApi.begin, {}),
    onSuccess: ({ url }) => location.assign(url),
  });
  return (
    <div>
      {startCheck.error !== null && <ErrorSummary errors={[{ field: undefined, message: getErrorText(startCheck.error) }]} />}
      <Stack gap={24}>
        <div>
          <Text weight="medium">To verify your identity, you’ll need:</Text>
          <ul className={styles.needs}>
            <li>your passport, driving licence or biometric residence permit</li>
            <li>a phone or computer with a camera</li>
            <li>about 3 minutes</li>
          </ul>
        </div>
        <ButtonRow>
          <Button onClick={() => startCheck.mutate()} disabled={startCheck.isPending || startCheck.isSuccess}>
            {startCheck.isPending || startCheck.isSuccess ? 'Opening the check…' : 'Start identity check'}
          </Button>
          <Button to={dashboard} variant="text">
            Do this later
          </Button>
        </ButtonRow>
      </Stack>
    </div>
  );
}
