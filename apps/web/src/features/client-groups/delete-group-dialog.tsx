import { clientGroupsApi, type ClientGroup } from '@portal/contract/client-groups.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiRequest } from '../../lib/api.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Text } from '../../ui/text.tsx';
import { useToast } from '../../ui/toast.tsx';

type DeleteGroupDialogProps = { companyId: string; group: ClientGroup; onDeleted: () => void; onClose: () => void };

export function DeleteGroupDialog({ companyId, group, onDeleted, onClose }: DeleteGroupDialogProps) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const remove = useMutation({
    mutationFn: () => apiRequest(clientGroupsApi.remove, { company_id: companyId, group_id: group.group_id }),
    onSuccess: async () => {
      toast('success', `${group.name} deleted`);
      onDeleted();
      // The next page must refetch. This one must not, because its group no longer exists.
      await queryClient.invalidateQueries({ refetchType: 'none' });
    },
  });
  return (
    <ConfirmDialog
      heading={`Delete ${group.name}?`}
      mutation={remove}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
      confirmLabel="Delete group"
      tone="error"
    >
      <Text>Its clients won’t change, but they’ll no longer be in a group. You can’t undo this.</Text>
    </ConfirmDialog>
  );
}
