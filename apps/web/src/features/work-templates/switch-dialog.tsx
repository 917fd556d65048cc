/** Switches the automatic creation of a template's tasks from obligations on or off. */
import { workItemsApi } from '@portal/contract/work-items.ts';
import { workTemplatesApi, type WorkTemplateView } from '@portal/contract/work-templates.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { FieldFrame } from '../../ui/form-field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Text } from '../../ui/text.tsx';
import { useToast } from '../../ui/toast.tsx';

type SwitchDialogProps = { companyId: string; template: WorkTemplateView; onClose: () => void };

export function SwitchDialog({ companyId, template: { key, name, is_on: isOn, client_tag: clientTag }, onClose }: SwitchDialogProps) {
  const [tag, setTag] = useState(clientTag ?? '');
  const queryClient = useQueryClient();
  const toast = useToast();
  const save = useMutation({
    mutationFn: () =>
      apiRequest(workTemplatesApi.switchOn, {
        company_id: companyId,
        key,
        is_on: !isOn,
        client_tag: tag.trim() === '' ? null : tag.trim(),
      }),
    onSuccess: async ({ created }) => {
      const tasks = `${created.toLocaleString('en-GB')} ${created === 1 ? 'task' : 'tasks'} created`;
      toast('success', isOn ? `${name} switched off` : tasks);
      onClose();
      await queryClient.invalidateQueries({
        predicate: ({ queryKey: [path] }) => path === workTemplatesApi.list.path || path === workItemsApi.list.path,
      });
    },
  });
  return (
    <ConfirmDialog
      heading={isOn ? `Switch off ${name}?` : `Switch on ${name}?`}
      mutation={save}
      onConfirm={() => save.mutate()}
      onClose={onClose}
      confirmLabel={isOn ? 'Switch off' : 'Switch on'}
    >
      {isOn ? (
        <Text>Existing tasks are kept. No new ones are created.</Text>
      ) : (
        <>
          <Text>
            Tasks are created for every return that’s still to be filed and whose period has ended, once per return. They’re marked as done
            automatically when HMRC shows the return as filed.
          </Text>
          <FieldFrame id="switch-tag" label="Only clients with this tag" optional>
            <TextInput id="switch-tag" value={tag} maxLength={30} onChange={({ target }) => setTag(target.value)} />
          </FieldFrame>
        </>
      )}
    </ConfirmDialog>
  );
}
