/** Connects HMRC from the dashboard. Explains why we need it and what we will and won't see, and links to HMRC's own sign-in. */
import { dashboardApi, type DashboardOutput } from '@portal/contract/dashboard.ts';
import { onboardingApi } from '@portal/contract/onboarding.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useSearchParams } from '../../lib/search-params.ts';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { Button } from '../../ui/button.tsx';
import { NeedsRight } from '../../components/companies/needs-right.tsx';
import { ConnectOutcome } from '../../components/companies/connect-outcome.tsx';
import { InstantText } from '../../components/formats/date-text.tsx';
import { HmrcPermissions } from '../../components/companies/hmrc-permissions.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { NoCompany } from './no-company.tsx';

export function LinkHmrcScreen() {
  const { companyId, isSettled } = useCompanyId();
  const dashboard = useQuery({ ...apiQuery(dashboardApi.get, { company_id: companyId }), enabled: companyId !== '' });
  if (isSettled && companyId === '') return <NoCompany />;
  return (
    <Page
      title="Connect your HMRC account"
      maxWidth="text"
      lead="You sign in on HMRC’s website and give permission. We never see your Government Gateway password."
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
  // HMRC's consent page redirects back here with an outcome, unless permission was given.
  const outcome = useSearchParams()[0].get('outcome');
  const isLeaving = connect.isPending || connect.isSuccess;
  const isConnected = data.hmrc.status === 'connected';
  return (
    <Stack gap={24}>
      {outcome === null ? <LinkReasons data={data} /> : <ConnectOutcome outcome={outcome} vrn={data.company.vrn} />}
      <SectionCard>
        <Stack>
          <HmrcPermissions />
          <Text size="small" tone="quiet">
            Your permission lasts 18 months. You can withdraw it at any time in your HMRC account.
          </Text>
        </Stack>
      </SectionCard>
      {connect.error && (
        <Notice tone="error" title="We couldn’t reach HMRC’s sign-in page" role="alert">
          {getErrorText(connect.error)}
        </Notice>
      )}
      <Row>
        <NeedsRight companyId={companyId} access="company.manage" to="connect HMRC">
          <Button onClick={() => connect.mutate()} isBusy={isLeaving} variant={isConnected ? 'outlined' : 'filled'}>
            {isConnected ? 'Connect again' : 'Connect to HMRC'}
          </Button>
        </NeedsRight>
        <Button to={getPageLink('dashboard', { company_id: companyId })} variant="text">
          Back to the dashboard
        </Button>
      </Row>
    </Stack>
  );
}

function LinkReasons({ data }: { data: DashboardOutput }) {
  const { status, as_of: asOf } = data.hmrc;
  const deadline = data.next_deadline;
  const deadlineSentence = deadline ? ` Your next deadline is ${formatDate(deadline.due_on)}.` : '';
  switch (status) {
    case 'connected':
      return (
        <Notice tone="success" title="HMRC is connected">
          {asOf ? (
            <>
              Updated from HMRC on <InstantText at={asOf} />.
            </>
          ) : (
            'We’ll get your figures when you open the dashboard.'
          )}
        </Notice>
      );
    case 'lapsed':
      return (
        <Notice tone="error" title="Your HMRC connection has ended">
          Your permission ends after 18 months, or earlier if you withdraw it in your HMRC account. Your filed returns aren’t affected, but
          we can’t file for you or get new figures until you reconnect.{deadlineSentence}
        </Notice>
      );
    case 'declined':
      return (
        <Notice tone="warning" title="You didn’t give permission last time">
          HMRC hasn’t shared anything with us. Without permission, we can’t file your return or pay your refund early.{deadlineSentence}
        </Notice>
      );
    case 'not_connected':
      return (
        <Notice tone="info" title="HMRC isn’t connected yet">
          We need the connection to see which returns are due, to file them, and to check that HMRC owes you a refund.
        </Notice>
      );
  }
}
