/** An invitation that hasn't been accepted yet: resend it with a new link, or revoke it. */
import { teamApi, type TeamMember } from '@portal/contract/team.ts';
import { InstantText } from '../../components/formats/date-text.tsx';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Text } from '../../ui/text.tsx';
import { getRoleName } from './member-status.ts';
import { useTeamAction } from './use-team-action.ts';

export function InvitationDialog({ companyId, invitation, onClose }: { companyId: string; invitation: TeamMember; onClose: () => void }) {
  const actionMutation = useTeamAction(onClose);
  const target = { company_id: companyId, invitation_id: invitation.invitation_id ?? '' };
  const send = (endpoint: typeof teamApi.resend, doneMessage: string) => () =>
    actionMutation.mutate({ send: () => apiRequest(endpoint, target), done: doneMessage });
  return (
    <ModalDialog
      open
      small
      heading={invitation.email}
      onClose={onClose}
      loading={actionMutation.isPending}
      actions={
        <>
          <Button variant="outlined" tone="error" disabled={actionMutation.isPending} onClick={send(teamApi.revoke, 'Invitation revoked')}>
            Revoke
          </Button>
          <Button disabled={actionMutation.isPending} onClick={send(teamApi.resend, 'Invitation sent again')}>
            Send again
          </Button>
        </>
      }
    >
      {actionMutation.error && (
        <Notice tone="error" title="Nothing has changed" role="alert">
          {getErrorText(actionMutation.error)}
        </Notice>
      )}
      <FactList
        facts={[
          { label: 'Role', value: getRoleName(invitation) },
          { label: 'Sent', value: <InstantText at={invitation.since} /> },
          ...(invitation.expires_at === null ? [] : [{ label: 'Link works until', value: <InstantText at={invitation.expires_at} /> }]),
        ]}
      />
      <Text size="small" tone="quiet">
        Resending it creates a new link that works for seven days. The earlier link stops working. To change the role, revoke the invitation
        and invite them again.
      </Text>
    </ModalDialog>
  );
}
