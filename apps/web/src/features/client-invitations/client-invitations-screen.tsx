/** Invitations to the client portal: how many are in each state, and the bulk invitation runs. */
import { NoPracticeCard } from '../../components/practice/no-practice-card.tsx';
import { PracticeNav } from '../../components/practice/practice-nav.tsx';
import { useCompanyId } from '../../lib/company-id.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { useSearchParams } from '../../lib/search-params.ts';
import { usePermission } from '../../lib/use-permission.ts';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { InvitationList } from './invitation-list.tsx';
import { InvitationRunDetails } from './invitation-run-details.tsx';
import { InvitationRuns } from './invitation-runs.tsx';

export function ClientInvitationsScreen() {
  const { companyId, isSettled } = useCompanyId();
  const runId = useSearchParams()[0].get('run_id');
  const mayInvite = usePermission(companyId, 'invite_clients');
  if (isSettled && companyId === '') return <NoPracticeCard title="Invitations" />;
  const invitationsLink = <TextLink to={getPageLink('clientInvitations', { company_id: companyId })}>All invitations</TextLink>;
  return (
    <Page
      title="Invitations"
      lead={runId === null ? 'People you’ve invited to the client portal.' : invitationsLink}
      before={<PracticeNav companyId={companyId} />}
    >
      {!mayInvite ? (
        <Notice tone="info" title="You can’t invite clients">
          You need the “Invite clients” permission for this page. Ask an admin of your practice.
        </Notice>
      ) : runId === null ? (
        <Stack>
          <InvitationList companyId={companyId} />
          <InvitationRuns companyId={companyId} />
        </Stack>
      ) : (
        <InvitationRunDetails companyId={companyId} runId={runId} />
      )}
    </Page>
  );
}
