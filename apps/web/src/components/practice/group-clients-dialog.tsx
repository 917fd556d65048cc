/** Adds clients to a new or existing group, or removes one client from its group. */
import { clientGroupsApi } from '@portal/contract/client-groups.ts';
import type { ClientSelection } from '@portal/contract/clients.ts';
import { MAX_CLIENT_GROUP_NAME_LENGTH } from '@portal/domain/clients/client-group.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { formatClientCount } from '../../lib/client-labels.ts';
import { useInvalidateClients } from '../../lib/use-invalidate-clients.ts';
import { Button } from '../../ui/button.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { Select, TextInput } from '../../ui/input.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { useToast } from '../../ui/toast.tsx';
import { MoveClientsChoice } from './move-clients-choice.tsx';

const [NEW, NONE] = ['new', 'none'];

type GroupClientsDialogProps = {
  companyId: string;
  selection: ClientSelection;
  count: number;
  /** The group that a single client is in and can leave. */
  current?: { readonly group_id: string; readonly name: string } | null;
  onClose: () => void;
};

export function GroupClientsDialog({ companyId, selection, count, current = null, onClose }: GroupClientsDialogProps) {
  const [chosenGroup, setChosen] = useState('');
  const [name, setName] = useState('');
  // On the client's own page, which shows the group it would leave, moving is preselected.
  const [moves, setMoves] = useState(current !== null);
  const list = useQuery(apiQuery(clientGroupsApi.list, { company_id: companyId }));
  const invalidateClients = useInvalidateClients();
  const toast = useToast();
  const groups = (list.data?.groups ?? []).filter(({ group_id: id }) => id !== current?.group_id);
  const groupName = groups.find(({ group_id: id }) => id === chosenGroup)?.name ?? name.trim();
  const save = useMutation({
    mutationFn: async () => {
      const clients = { company_id: companyId, ...selection };
      if (chosenGroup === NEW) return (await apiRequest(clientGroupsApi.create, { ...clients, name, move: moves })).counts;
      if (chosenGroup === NONE && current !== null)
        return (await apiRequest(clientGroupsApi.removeClients, { ...clients, group_id: current.group_id })).counts;
      return (await apiRequest(clientGroupsApi.addClients, { ...clients, group_id: chosenGroup, move: moves })).counts;
    },
    onSuccess: async ({ changed }) => {
      const doneMessage =
        chosenGroup === NONE ? `Removed from ${current?.name ?? 'the group'}` : `${formatClientCount(changed)} added to ${groupName}`;
      toast('success', changed === 0 ? `Already in ${groupName}` : doneMessage);
      onClose();
      await invalidateClients();
    },
  });
  const missing =
    chosenGroup === '' ? 'Choose a group.' : chosenGroup === NEW && name.trim() === '' ? 'Enter a name for the group.' : undefined;
  return (
    <ModalDialog
      open
      small
      heading={current === null ? `Add ${formatClientCount(count)} to a group` : 'Change group'}
      onClose={onClose}
      loading={save.isPending}
      actions={
        <>
          <Button variant="outlined" onClick={onClose} disabled={save.isPending}>
            Cancel
          </Button>
          <SubmitButton missing={missing} isBusy={save.isPending} onClick={() => save.mutate()}>
            {chosenGroup === NONE ? 'Remove from group' : current === null ? 'Add to group' : 'Move'}
          </SubmitButton>
        </>
      }
    >
      <FieldFrame id="client-group" label="Group" hint="A client can only be in one group, so that group totals never count it twice.">
        <Select id="client-group" value={chosenGroup} onChange={({ target }) => setChosen(target.value)}>
          <option value="">Choose…</option>
          <option value={NEW}>New group</option>
          {current !== null && <option value={NONE}>No group (remove from {current.name})</option>}
          {groups.map(({ group_id: id, name: label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </Select>
      </FieldFrame>
      {chosenGroup === NEW && (
        <FieldFrame id="client-group-name" label="Name of the new group" hint="For example “Harlow family” or “Marsh Holdings group”.">
          <TextInput
            id="client-group-name"
            value={name}
            onChange={({ target }) => setName(target.value)}
            maxLength={MAX_CLIENT_GROUP_NAME_LENGTH}
            autoComplete="off"
          />
        </FieldFrame>
      )}
      <MoveClientsChoice error={save.error} moves={moves} onChange={setMoves} />
    </ModalDialog>
  );
}
