/** Creates a group, or renames one. */
import { clientGroupsApi, type ClientGroup } from '@portal/contract/client-groups.ts';
import { MAX_CLIENT_GROUP_NAME_LENGTH } from '@portal/domain/clients/client-group.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { useInvalidateClients } from '../../lib/use-invalidate-clients.ts';
import { Button } from '../../ui/button.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';

type GroupNameDialogProps = {
  companyId: string;
  /** Undefined for a new group. */
  group: ClientGroup | undefined;
  onSaved: (groupId: string) => void;
  onClose: () => void;
};

export function GroupNameDialog({ companyId, group, onSaved, onClose }: GroupNameDialogProps) {
  const [name, setName] = useState(group?.name ?? '');
  const invalidateClients = useInvalidateClients();
  const save = useMutation({
    mutationFn: async () => {
      if (group === undefined) return (await apiRequest(clientGroupsApi.create, { company_id: companyId, name })).group_id;
      await apiRequest(clientGroupsApi.rename, { company_id: companyId, group_id: group.group_id, name });
      return group.group_id;
    },
    onSuccess: async (groupId) => {
      onClose();
      onSaved(groupId);
      await invalidateClients();
    },
  });
  return (
    <ModalDialog open small heading={group === undefined ? 'Create a group' : 'Rename group'} onClose={onClose} loading={save.isPending}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        {save.error && (
          <Notice tone="error" title="Nothing has changed" role="alert">
            {getErrorText(save.error)}
          </Notice>
        )}
        <FieldFrame id="group-name" label="Name" hint="For example “Harlow family” or “Marsh Holdings group”.">
          <TextInput
            id="group-name"
            value={name}
            onChange={({ target }) => setName(target.value)}
            maxLength={MAX_CLIENT_GROUP_NAME_LENGTH}
            autoComplete="off"
          />
        </FieldFrame>
        <Button variant="outlined" onClick={onClose} disabled={save.isPending}>
          Cancel
        </Button>{' '}
        <SubmitButton missing={name.trim() === '' ? 'Enter a name for the group.' : undefined} isBusy={save.isPending}>
          {group === undefined ? 'Create group' : 'Rename'}
        </SubmitButton>
      </form>
    </ModalDialog>
  );
}
