/** Adds or edits a custom role. A change applies immediately to everyone who has it. */
import { teamApi, type TeamRole } from '@portal/contract/team.ts';
import { DEFAULT_PERMISSIONS, type Permission } from '@portal/domain/team/permissions.ts';
import { useState } from 'react';
import { PermissionChoices } from '../../components/team/access-fields.tsx';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { getMissingText, SubmitButton } from '../../ui/submit-button.tsx';
import { Text } from '../../ui/text.tsx';
import { useTeamAction } from './use-team-action.ts';

type RoleDialogProps = {
  companyId: string;
  /** Undefined for a new role. */
  role: TeamRole | undefined;
  onClose: () => void;
};

export function RoleDialog({ companyId, role, onClose }: RoleDialogProps) {
  const [name, setName] = useState(role?.name ?? '');
  const [permissions, setPermissions] = useState<readonly Permission[]>(role?.permissions ?? DEFAULT_PERMISSIONS);
  const actionMutation = useTeamAction(onClose);
  const members = role?.members ?? 0;
  const id = role?.team_role_id;
  const save = () =>
    actionMutation.mutate({
      send: () =>
        apiRequest(teamApi.saveRole, {
          company_id: companyId,
          name,
          permissions: [...permissions],
          ...(id === undefined ? {} : { team_role_id: id }),
        }),
      done: 'Role saved',
    });
  return (
    <ModalDialog open small heading={role ? `Edit ${role.name}` : 'Add a role'} onClose={onClose} loading={actionMutation.isPending}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Stack gap={16}>
          {actionMutation.error && (
            <Notice tone="error" title="Nothing has changed" role="alert">
              {getErrorText(actionMutation.error)}
            </Notice>
          )}
          <Text size="small" tone="quiet">
            People with this role see and work on the clients assigned to them.
            {members > 0 && ` ${members === 1 ? '1 person has' : `${members} people have`} this role; changes apply to them immediately.`}
          </Text>
          <FieldFrame id="role-name" label="Name">
            <TextInput id="role-name" value={name} onChange={({ target }) => setName(target.value)} autoComplete="off" maxLength={160} />
          </FieldFrame>
          <PermissionChoices chosen={permissions} onChange={setPermissions} />
          <ButtonRow>
            <SubmitButton
              isBusy={actionMutation.isPending}
              missing={getMissingText([name.trim() === '' ? 'Enter a name for the role.' : undefined])}
            >
              Save
            </SubmitButton>
            {id !== undefined && (
              <Button
                variant="outlined"
                tone="error"
                disabled={actionMutation.isPending || members > 0}
                title={members > 0 ? 'Move everyone with this role to another role first' : undefined}
                onClick={() =>
                  actionMutation.mutate({
                    send: () => apiRequest(teamApi.removeRole, { company_id: companyId, team_role_id: id }),
                    done: 'Role removed',
                  })
                }
              >
                Remove
              </Button>
            )}
          </ButtonRow>
        </Stack>
      </form>
    </ModalDialog>
  );
}
