/** Creates a single task, or the tasks of a template. */
import { positionsApi } from '@portal/contract/positions.ts';
import { workItemsApi } from '@portal/contract/work-items.ts';
import { workTemplatesApi } from '@portal/contract/work-templates.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { Select, TextInput } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { Text } from '../../ui/text.tsx';
import { useToast } from '../../ui/toast.tsx';
import { ClientField, type ChosenClient } from '../../components/practice/client-field.tsx';
import { formatTaskCount, useInvalidateWork } from './use-work.ts';
import { toWorkInput, WorkFields, type WorkValues } from './work-fields.tsx';
import { useMembers } from './work-filters.tsx';

type NewWorkDialogProps = { companyId: string; clientId: string | undefined; onClose: () => void };

/** When opened from one client's tasks, the new task is for that client. */
export function NewWorkDialog({ companyId, clientId, onClose }: NewWorkDialogProps) {
  const client = useQuery({
    ...apiQuery(positionsApi.clientTaxes, { company_id: companyId, client_company_id: clientId ?? '' }),
    enabled: clientId !== undefined,
  });
  const knownClient = client.data && clientId !== undefined ? { id: clientId, name: client.data.name } : null;
  if (clientId !== undefined && knownClient === null) {
    return (
      <ModalDialog open small heading="New task" onClose={onClose}>
        <LoadState query={client}>{() => null}</LoadState>
      </ModalDialog>
    );
  }
  return <NewWork companyId={companyId} initialClient={knownClient} onClose={onClose} />;
}

const EMPTY: WorkValues = { title: '', notes: '', service: 'other', due_on: '', owner_id: '', checklist: [] };

function NewWork({ companyId, initialClient, onClose }: { companyId: string; initialClient: ChosenClient | null; onClose: () => void }) {
  const [templateKey, setTemplateKey] = useState('');
  const [client, setClient] = useState(initialClient);
  const [values, setValues] = useState<WorkValues | null>(null);
  const [day, setDay] = useState('');
  // Stays the same, so that a repeated request doesn't create anything twice.
  const [id] = useState(() => crypto.randomUUID());
  const ownUserId = useMembers(companyId).find(({ is_you: isYou }) => isYou)?.user_id ?? '';
  const shownValues = values ?? { ...EMPTY, owner_id: ownUserId };
  const templates = useQuery(apiQuery(workTemplatesApi.list, { company_id: companyId })).data?.templates ?? [];
  const template = templates.find(({ key }) => key === templateKey);
  const invalidate = useInvalidateWork();
  const toast = useToast();
  const save = useMutation({
    mutationFn: async () => {
      const target = { company_id: companyId, ...(client === null ? {} : { client_id: client.id }) };
      if (template === undefined) {
        await apiRequest(workItemsApi.create, { ...target, item_id: id, ...toWorkInput(shownValues) });
        return 1;
      }
      const input = { ...target, request_id: id, template_key: template.key, day: day as PlainDate };
      return (await apiRequest(workItemsApi.createFromTemplate, input)).created;
    },
    onSuccess: async (count) => {
      toast('success', `${formatTaskCount(count)} created`);
      onClose();
      await invalidate();
    },
  });
  const missing =
    template === undefined ? (shownValues.title.trim() === '' ? 'Enter a title.' : undefined) : day === '' ? 'Enter the date.' : undefined;
  return (
    <ModalDialog
      open
      heading="New task"
      onClose={onClose}
      loading={save.isPending}
      actions={
        <>
          <Button variant="outlined" onClick={onClose} disabled={save.isPending}>
            Cancel
          </Button>
          <SubmitButton missing={missing} isBusy={save.isPending} onClick={() => save.mutate()}>
            {template === undefined ? 'Create task' : `Create ${formatTaskCount(template.steps.length)}`}
          </SubmitButton>
        </>
      }
    >
      <Stack gap={0}>
        {save.error && (
          <Notice tone="error" title="Nothing was created" role="alert">
            {getErrorText(save.error)}
          </Notice>
        )}
        <ClientField
          companyId={companyId}
          client={client}
          onChange={setClient}
          id="work-client"
          noun="Client"
          label="Client (optional)"
          hint="Type a name or reference. If you don’t choose a client, only you, the owner and admins can see the task."
        />
        <FieldFrame id="work-template" label="Template" optional>
          <Select id="work-template" value={templateKey} onChange={({ target }) => setTemplateKey(target.value)}>
            <option value="">None: create one task manually</option>
            {templates.map(({ key, name }) => (
              <option key={key} value={key}>
                {name}
              </option>
            ))}
          </Select>
        </FieldFrame>
        {template === undefined ? (
          <WorkFields companyId={companyId} values={shownValues} onChange={setValues} />
        ) : (
          <>
            <FieldFrame id="work-day" label="Count due dates from" hint="For example, the return’s due date or the payday.">
              <TextInput id="work-day" type="date" value={day} onChange={({ target }) => setDay(target.value)} />
            </FieldFrame>
            <Stack as="ul" gap={4} aria-label="Tasks in the template">
              {template.steps.map((step) => (
                <Text as="li" key={step.title}>
                  {step.title}: {describeDays(step.days)}
                </Text>
              ))}
            </Stack>
          </>
        )}
      </Stack>
    </ModalDialog>
  );
}

function describeDays(days: number): string {
  if (days === 0) return 'on the day';
  const count = `${Math.abs(days)} ${Math.abs(days) === 1 ? 'day' : 'days'}`;
  return days < 0 ? `${count} before` : `${count} after`;
}
