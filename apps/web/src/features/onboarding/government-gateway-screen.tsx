/** Connects HMRC, and explains what we see and what we never see. Users enter their HMRC password only on HMRC's site. */
import { formatVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import { onboardingApi, type Progress } from '@portal/contract/onboarding.ts';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { useSearchParams } from '../../lib/search-params.ts';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { InstantText } from '../../components/formats/date-text.tsx';
import { StatusPanel } from '../../ui/status-panel.tsx';
import { ConnectOutcome } from '../../components/companies/connect-outcome.tsx';
import { HmrcPermissions } from '../../components/companies/hmrc-permissions.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Text } from '../../ui/text.tsx';
import { RefundFound } from './refund-found.tsx';
import { StepPage } from './step-page.tsx';
import { getLinkAfter } from './use-progress.ts';
import { useRefundFinding } from './use-refund-finding.ts';

export function GovernmentGatewayScreen() {
  return (
    <StepPage
      step="government-gateway"
      title="Connect HMRC"
      lead="You sign in on HMRC’s website and give permission. It lasts 18 months, and you can end it there at any time."
    >
      {(progress) => <Connection progress={progress} />}
    </StepPage>
  );
}

function Connection({ progress }: { progress: Progress }) {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const companyId = progress.company_id ?? '';
  const connect = useMutation({
    mutationFn: () => apiRequest(onboardingApi.connectHmrc, { company_id: companyId, return_to: 'steps' }),
    onSuccess: ({ authorize_url }) => location.assign(authorize_url),
  });
  const postpone = useMutation({
    mutationFn: () => apiRequest(onboardingApi.postponeHmrc, { company_id: companyId }),
    onSuccess: () => navigate(getLinkAfter('government-gateway', progress)),
  });
  const isBusy = connect.isPending || connect.isSuccess || postpone.isPending;
  const failure = connect.error ?? postpone.error;

  const isConnected = progress.hmrc.status === 'connected';
  const finding = useRefundFinding(companyId, isConnected);
  if (isConnected) {
    return (
      <StatusPanel
        state="success"
        heading="HMRC is connected"
        // Set when the browser has just returned from HMRC.
        isResult={search.get('outcome') === 'connected'}
        subHeading={
          <>
            For VAT number {progress.hmrc.vrn === null ? '' : formatVrn(progress.hmrc.vrn)}
            {progress.hmrc.connected_at !== null && (
              <>
                , since <InstantText at={progress.hmrc.connected_at} />
              </>
            )}
            .
          </>
        }
        onContinue={() => void navigate(getLinkAfter('government-gateway', progress))}
      >
        <RefundFound finding={finding} />
      </StatusPanel>
    );
  }
  return (
    <>
      <ConnectOutcome outcome={search.get('outcome')} vrn={progress.hmrc.vrn} />
      {failure !== null && <ErrorSummary errors={[{ field: undefined, message: getErrorText(failure) }]} />}
      <Stack gap={24}>
        <HmrcPermissions />
        <Text measure>
          Sign in with the Government Gateway user ID you use for VAT
          {progress.hmrc.vrn === null ? '' : ` number ${formatVrn(progress.hmrc.vrn)}`}. You only enter your password on HMRC’s website: we
          never ask for it.
        </Text>
        <ButtonRow>
          <Button onClick={() => connect.mutate()} disabled={isBusy}>
            {connect.isPending || connect.isSuccess ? 'Going to HMRC…' : 'Connect HMRC'}
          </Button>
          <Button variant="text" onClick={() => postpone.mutate()} disabled={isBusy}>
            Do this later
          </Button>
        </ButtonRow>
      </Stack>
    </>
  );
}
