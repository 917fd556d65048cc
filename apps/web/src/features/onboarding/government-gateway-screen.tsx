/** Connects HMRC: what we will see and what we never see. The person types their password on HMRC's site only. */
import { formatVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { onboardingApi, type Progress } from '@portal/contract/onboarding.ts';
import { useMutation } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router';
import { apiRequest } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { InstantText } from '../../ui/date-text.tsx';
import { StatusPanel } from '../../ui/status-panel.tsx';
import { ConnectOutcome } from '../../ui/connect-outcome.tsx';
import { HmrcPermissions } from '../../ui/hmrc-permissions.tsx';
import { StepPage } from './step-page.tsx';
import { getLinkAfter } from './use-progress.ts';

export function GovernmentGatewayScreen() {
  return (
    <StepPage
      step="government-gateway"
      title="Connect HMRC"
      lead="HMRC asks you to log in on its own page and to say yes. That lasts 18 months, and you can end it there at any time."
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

  if (progress.hmrc.status === 'connected') {
    return (
      <StatusPanel
        state="success"
        heading="HMRC is connected"
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
      />
    );
  }
  return (
    <>
      <ConnectOutcome outcome={search.get('outcome')} vrn={progress.hmrc.vrn} />
      {failure !== null && <ErrorSummary errors={[{ field: undefined, message: errorText(failure) }]} />}
      <HmrcPermissions />
      <Typography sx={{ mt: 3, mb: 2 }}>
        Log in with the Government Gateway user ID that manages VAT
        {progress.hmrc.vrn === null ? '' : ` for ${formatVrn(progress.hmrc.vrn)}`}. We never ask for its password, and no page of ours has a
        field for it.
      </Typography>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5 }}>
        <Button
          onClick={() => connect.mutate()}
          disabled={isBusy}
          sx={{ flex: { xs: '1 1 100%', sm: '0 0 auto' }, maxWidth: { xs: 'none', sm: 300 } }}
        >
          {connect.isPending || connect.isSuccess ? 'Going to HMRC ...' : 'Connect HMRC'}
        </Button>
        <Button
          variant="text"
          onClick={() => postpone.mutate()}
          disabled={isBusy}
          sx={{ flex: { xs: '1 1 100%', sm: '0 0 auto' }, maxWidth: { xs: 'none', sm: 300 } }}
        >
          Later
        </Button>
      </Box>
    </>
  );
}
