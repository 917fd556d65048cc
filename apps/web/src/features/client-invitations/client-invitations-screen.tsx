/** Invitations to the client portal: how many are in each state, and the bulk invitation runs. */
import { PracticePage } from '../../components/practice/practice-page.tsx';
import { useCompanyId } from '../../lib/company-id.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { usePermission } from '../../lib/practice-profile.ts';
import { useSearchParams } from '../../lib/search-params.ts';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { InvitationList } from './invitation-list.tsx';
import { InvitationRunDetails } from './invitation-run-details.tsx';
import { InvitationRuns } from './invitation-runs.tsx';

export function ClientInvitationsScreen() {
  const { companyId } = useCompanyId();
  const runId = useSearchParams()[0].get('run_id');
  const mayInvite = usePermission(companyId, 'invite_clients');
  const invitationsLink = <TextLink to={getPageLink('clientInvitations', { company_id: companyId })}>All invitations</TextLink>;
  return (
    <PracticePage title="Invitations" lead={runId === null ? 'People you’ve invited to the client portal.' : invitationsLink}>
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
    </PracticePage>
  );
}
