/** Connects HMRC from the dashboard. Explains why we need it and what we will and won't see, and links to HMRC's own sign-in. */
import { dashboardApi, type DashboardOutput } from '@portal/contract/dashboard.ts';
import { onboardingApi } from '@portal/contract/onboarding.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { errorText } from '../../lib/error-text.ts';
import { pageLink } from '../../lib/page-link.ts';
import { ButtonRow } from '../../ui/button-row.tsx';
import { ConnectOutcome } from '../../ui/connect-outcome.tsx';
import { InstantText } from '../../ui/date-text.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { HmrcPermissions } from '../../ui/hmrc-permissions.tsx';
import { NoCompany } from './no-company.tsx';

export function LinkHmrcScreen() {
  const { companyId, settled } = useCompanyId();
  const dashboard = useQuery({ ...apiQuery(dashboardApi.get, { company_id: companyId }), enabled: companyId !== '' });
  if (settled && companyId === '') return <NoCompany />;
  return (
    <Page
      title="Connect your HMRC account"
      maxWidth="text"
      lead="You sign in on HMRC’s own page. We never see your Government Gateway password."
    >
      <LoadState query={dashboard}>{(data) => <LinkHmrc data={data} />}</LoadState>
    </Page>
  );
}

function LinkHmrc({ data }: { data: DashboardOutput }) {
  const companyId = data.company.company_id;
  const connect = useMutation({
    mutationFn: () => apiRequest(onboardingApi.connectHmrc, { company_id: companyId, return_to: 'dashboard' }),
    onSuccess: ({ authorize_url }) => location.assign(authorize_url),
  });
  // HMRC's consent page redirects back here with an outcome, unless access was granted.
  const outcome = useSearchParams()[0].get('outcome');
  const leaving = connect.isPending || connect.isSuccess;
  return (
    <Box sx={{ display: 'grid', gap: 3 }}>
      {outcome === null ? <Why data={data} /> : <ConnectOutcome outcome={outcome} vrn={data.company.vrn} />}
      <SectionCard>
        <HmrcPermissions />
        <Typography variant="body2" sx={{ mt: 2, color: 'text.secondary' }}>
          The permission lasts 18 months. You can end it at any time in your HMRC account.
        </Typography>
      </SectionCard>
      {connect.error ? (
        <Notice tone="error" title="We could not reach HMRC’s sign-in" role="alert">
          {errorText(connect.error)}
        </Notice>
      ) : null}
      <ButtonRow>
        <Button onClick={() => connect.mutate()} loading={leaving} variant={data.hmrc.status === 'connected' ? 'outlined' : 'contained'}>
          {data.hmrc.status === 'connected' ? 'Connect again' : 'Connect to HMRC'}
        </Button>
        <Button component={Link} to={pageLink('dashboard', { company_id: companyId })} variant="text">
          Back to the dashboard
        </Button>
      </ButtonRow>
    </Box>
  );
}

function Why({ data }: { data: DashboardOutput }) {
  const { status, as_of: asOf } = data.hmrc;
  const deadline = data.next_deadline;
  const atStake = deadline ? ` Your next deadline is ${formatDate(deadline.due_on)}.` : '';
  switch (status) {
    case 'connected':
      return (
        <Notice tone="success" title="HMRC is connected">
          {asOf ? (
            <>
              We last read HMRC’s figures on <InstantText at={asOf} />.
            </>
          ) : (
            'We have not read HMRC’s figures yet; the dashboard does so when you open it.'
          )}
        </Notice>
      );
    case 'lapsed':
      return (
        <Notice tone="error" title="The connection has ended">
          HMRC ends every permission after 18 months, or earlier if it is removed in your HMRC account. What you filed is not affected.
          Until you connect again we cannot file for you or read new figures.{atStake}
        </Notice>
      );
    case 'declined':
      return (
        <Notice tone="warning" title="Last time, the permission was not given">
          Nothing was shared with us. Without it we cannot file your return, and so cannot bring your refund forward.{atStake}
        </Notice>
      );
    case 'not_connected':
      return (
        <Notice tone="info" title="HMRC is not connected yet">
          We need the connection to see which returns are due, to file them and to know that HMRC owes you a refund.
        </Notice>
      );
  }
}
