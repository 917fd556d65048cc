/** One team member: role, permissions and groups, and the actions that end or restore their access. */
import { teamApi, type TeamMember } from '@portal/contract/team.ts';
import { useState } from 'react';
import { AccessFields, getGroupsError, toAccessChoice, toAccessInput } from '../../components/team/access-fields.tsx';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { getMissingText, SubmitButton } from '../../ui/submit-button.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { useTeamAction } from './use-team-action.ts';

type MemberDialogProps = {
  companyId: string;
  person: TeamMember;
  /** Whether the user is the owner of the practice. */
  isOwner: boolean;
  onDeactivate: () => void;
  onClose: () => void;
};

export function MemberDialog({ companyId, person, isOwner, onDeactivate, onClose }: MemberDialogProps) {
  const actionMutation = useTeamAction(onClose);
  const target = { company_id: companyId, user_id: person.user_id ?? '' };
  const report = getPageLink('memberAccessReport', target);
  return (
    <ModalDialog open small heading={person.full_name} onClose={onClose} loading={actionMutation.isPending}>
      <Stack gap={24}>
        {actionMutation.error && (
          <Notice tone="error" title="Nothing has changed" role="alert">
            {getErrorText(actionMutation.error)}
          </Notice>
        )}
        {person.status === 'closed' && (
          <Text>{person.full_name} closed their account and has no access. If they open a new one, you can invite them again.</Text>
        )}
        {person.status === 'deactivated' && (
          <Stack gap={16} align="start">
            <Text>
              {person.full_name} has no access. If you reactivate them, they’ll get their previous role back. Their former clients stay with
              the people who took over.
            </Text>
            <Button
              isBusy={actionMutation.isPending}
              onClick={() =>
                actionMutation.mutate({ send: () => apiRequest(teamApi.reactivate, target), done: `${person.full_name} reactivated` })
              }
            >
              Reactivate
            </Button>
          </Stack>
        )}
        {person.status === 'active' && (
          <>
            <AccessForm person={person} target={target} act={actionMutation} />
            <OtherActions person={person} target={target} act={actionMutation} isOwner={isOwner} onDeactivate={onDeactivate} />
          </>
        )}
        <TextLink to={report}>What {person.full_name} can see and has done</TextLink>
      </Stack>
    </ModalDialog>
  );
}

type MemberTarget = { readonly company_id: string; readonly user_id: string };
type PartProps = { person: TeamMember; target: MemberTarget; act: ReturnType<typeof useTeamAction> };

function AccessForm({ person, target, act }: PartProps) {
  const existing = toAccessChoice(person);
  const [access, setAccess] = useState(existing);
  const isChanged = JSON.stringify(toAccessInput(access)) !== JSON.stringify(toAccessInput(existing));
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        act.mutate({ send: () => apiRequest(teamApi.change, { ...target, ...toAccessInput(access) }), done: 'Access changed' });
      }}
    >
      <Stack gap={16}>
        <AccessFields
          idPrefix="member"
          companyId={target.company_id}
          value={access}
          onChange={setAccess}
          fixedRole={person.is_owner ? 'The owner is always an admin. Make another admin the owner first.' : undefined}
        />
        <ButtonRow>
          <SubmitButton isBusy={act.isPending} missing={getMissingText([getGroupsError(access)], isChanged)}>
            Save
          </SubmitButton>
        </ButtonRow>
      </Stack>
    </form>
  );
}

function OtherActions({ person, target, act, isOwner, onDeactivate }: PartProps & { isOwner: boolean; onDeactivate: () => void }) {
  const name = person.full_name;
  if (person.is_owner) return null;
  return (
    <Stack gap={8}>
      <ButtonRow>
        <Button
          variant="outlined"
          size="small"
          disabled={act.isPending}
          onClick={() => act.mutate({ send: () => apiRequest(teamApi.endSessions, target), done: `${name} logged out everywhere` })}
        >
          Log out everywhere
        </Button>
        {isOwner && person.role === 'admin' && (
          <Button
            variant="outlined"
            size="small"
            disabled={act.isPending}
            onClick={() => act.mutate({ send: () => apiRequest(teamApi.transferOwnership, target), done: `${name} is now the owner` })}
          >
            Make owner
          </Button>
        )}
        <Button variant="outlined" size="small" tone="error" disabled={act.isPending} onClick={onDeactivate}>
          Deactivate
        </Button>
      </ButtonRow>
      {isOwner && person.role === 'admin' && (
        <Text size="small" tone="quiet">
          There can be only one owner. You’ll stay an admin, and only {name} can change the owner again.
        </Text>
      )}
    </Stack>
  );
}
