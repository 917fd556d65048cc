import { messageTemplatesApi, type OwnMessageTemplate } from '@portal/contract/message-templates.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getDraftProblem } from '../../components/practice/message-fields.tsx';
import { MessageText } from '../../components/practice/message-text.tsx';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';

type Props = { companyId: string; template: OwnMessageTemplate | undefined; onClose: () => void };

/** Adds or edits a template. */
export function MessageTemplateDialog({ companyId, template, onClose }: Props) {
  // Stays the same for every click, so that a second one doesn't add another template.
  const [id] = useState(() => template?.template_id ?? crypto.randomUUID());
  const [name, setName] = useState(template?.name ?? '');
  const [templateText, setText] = useState({ subject: template?.subject ?? '', body: template?.body ?? '' });
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: () =>
      apiRequest(messageTemplatesApi.save, {
        company_id: companyId,
        template_id: id,
        version: template?.version ?? 0,
        name,
        ...templateText,
      }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: [messageTemplatesApi.list.path] });
      onClose();
    },
  });
  const problem = name.trim() === '' ? 'Enter a name.' : getDraftProblem({ ...templateText, sendAt: '' });
  return (
    <ModalDialog
      open
      heading={template === undefined ? 'New template' : 'Edit template'}
      onClose={onClose}
      loading={save.isPending}
      actions={
        <>
          <Button variant="outlined" onClick={onClose} disabled={save.isPending}>
            Cancel
          </Button>
          <SubmitButton missing={problem} isBusy={save.isPending} onClick={() => save.mutate()}>
            Save template
          </SubmitButton>
        </>
      }
    >
      <Stack gap={0}>
        <FieldFrame id="template-name" label="Name">
          <TextInput id="template-name" value={name} maxLength={160} autoComplete="off" onChange={({ target }) => setName(target.value)} />
        </FieldFrame>
        <MessageText companyId={template === undefined ? companyId : undefined} text={templateText} onChange={setText} />
      </Stack>
      {save.error !== null && (
        <Notice tone="error" title="The template wasn’t saved" role="alert">
          {getErrorText(save.error)}
        </Notice>
      )}
    </ModalDialog>
  );
}
