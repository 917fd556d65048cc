/** One task. Its checklist and comments save immediately; its details are a form. */
import { workItemsApi } from '@portal/contract/work-items.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { WORK_SERVICE_NAMES } from '@portal/domain/work-items/work-item.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { InstantText } from '../../components/formats/date-text.tsx';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/choice.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import { useInvalidateWork } from './use-work.ts';
import { WorkComments } from './work-comments.tsx';
import { WorkClient, WorkDue, WorkStatusSelect, type Changes } from './work-facts.tsx';
import { WorkFiles } from './work-files.tsx';
import { toWorkInput, WorkFields, type WorkValues } from './work-fields.tsx';

type FoundItem = EndpointOutput<typeof workItemsApi.find>;
type WorkItemDialogProps = { companyId: string; itemId: string; changes: Changes; onClose: () => void };

export function WorkItemDialog({ companyId, itemId, changes, onClose }: WorkItemDialogProps) {
  const query = useQuery(apiQuery(workItemsApi.find, { company_id: companyId, item_id: itemId }));
  const [isEditing, setIsEditing] = useState(false);
  const title = query.data?.item.title ?? 'Task';
  return (
    <ModalDialog open heading={isEditing ? `Change “${title}”` : title} onClose={onClose}>
      <LoadState query={query}>
        {(found) =>
          isEditing ? (
            <EditWork companyId={companyId} found={found} onClose={() => setIsEditing(false)} />
          ) : (
            <Stack gap={24}>
              <Facts companyId={companyId} found={found} today={found.today} changes={changes} />
              <Checklist companyId={companyId} found={found} />
              <Row gap={8}>
                <Button variant="outlined" size="small" onClick={() => setIsEditing(true)}>
                  Change task
                </Button>
                <Button
                  variant="text"
                  size="small"
                  tone="error"
                  onClick={() => {
                    changes.change.mutate({ input: { item_ids: [itemId], remove: true }, formatMessage: () => `${title} deleted` });
                    onClose();
                  }}
                >
                  Delete task
                </Button>
              </Row>
              <WorkFiles companyId={companyId} itemId={itemId} />
              <WorkComments companyId={companyId} itemId={itemId} comments={found.comments} />
            </Stack>
          )
        }
      </LoadState>
    </ModalDialog>
  );
}

type FactsProps = { companyId: string; found: FoundItem; today: PlainDate; changes: Changes };

function Facts({ companyId, found: { item }, today, changes }: FactsProps) {
  const isAutomatic = item.is_from_obligation;
  return (
    <Stack gap={12}>
      <FactList
        facts={[
          { label: 'Status', value: <WorkStatusSelect item={item} changes={changes} /> },
          { label: 'Client', value: <WorkClient companyId={companyId} item={item} /> },
          { label: 'Owner', value: item.owner?.full_name ?? 'Unassigned' },
          { label: 'Due', value: <WorkDue item={item} today={today} /> },
          { label: 'Service', value: WORK_SERVICE_NAMES[item.service] },
        ]}
      />
      {item.notes !== '' && <Text style={{ whiteSpace: 'pre-wrap' }}>{item.notes}</Text>}
      <Text size="small" tone="quiet">
        Created {isAutomatic ? 'automatically for an HMRC return' : `by ${item.created_by ?? 'a former colleague'}`},{' '}
        <InstantText at={item.created_at} />.
        {item.done_at !== null && (
          <>
            {' '}
            Done {item.done_by === null ? 'because HMRC has the return' : `by ${item.done_by}`}, <InstantText at={item.done_at} />.
          </>
        )}
      </Text>
    </Stack>
  );
}

function Checklist({ companyId, found: { item } }: { companyId: string; found: FoundItem }) {
  // Items the user has just ticked, until the server responds.
  const [tickedLines, setTickedLines] = useState<Readonly<Record<string, boolean>>>({});
  const invalidate = useInvalidateWork();
  const check = useMutation({
    mutationFn: (line: { line_id: string; is_done: boolean }) =>
      apiRequest(workItemsApi.check, { company_id: companyId, item_id: item.item_id, ...line }),
    onSettled: async (_data, _error, { line_id: id }) => {
      await invalidate();
      setTickedLines(({ [id]: _tickedLine, ...others }) => others);
    },
  });
  if (item.checklist.length === 0) return null;
  return (
    <Stack gap={8}>
      <Heading level={3}>Checklist</Heading>
      {check.error && <Text role="alert">{getErrorText(check.error)}</Text>}
      {item.checklist.map(({ id, text, is_done: isDone }) => (
        <Checkbox
          key={id}
          label={text}
          checked={tickedLines[id] ?? isDone}
          onChange={({ target: { checked } }) => {
            setTickedLines((others) => ({ ...others, [id]: checked }));
            check.mutate({ line_id: id, is_done: checked });
          }}
        />
      ))}
    </Stack>
  );
}

function EditWork({ companyId, found: { item }, onClose }: { companyId: string; found: FoundItem; onClose: () => void }) {
  const [values, setValues] = useState<WorkValues>({
    title: item.title,
    notes: item.notes,
    service: item.service,
    due_on: item.due_on ?? '',
    owner_id: item.owner?.user_id ?? '',
    checklist: item.checklist,
  });
  // The version when the user started editing, so that the save doesn't overwrite someone else's later change.
  const [{ status, version }] = useState(item);
  const invalidate = useInvalidateWork();
  const save = useMutation({
    mutationFn: () =>
      apiRequest(workItemsApi.save, { company_id: companyId, item_id: item.item_id, status, version, ...toWorkInput(values) }),
    onSuccess: async () => {
      await invalidate();
      onClose();
    },
  });
  return (
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
      <Stack gap={16}>
        <WorkFields companyId={companyId} values={values} onChange={setValues} />
        <Row gap={8}>
          <Button variant="outlined" onClick={onClose} disabled={save.isPending}>
            Cancel
          </Button>
          <SubmitButton missing={values.title.trim() === '' ? 'Enter a title.' : undefined} isBusy={save.isPending}>
            Save
          </SubmitButton>
        </Row>
      </Stack>
    </form>
  );
}
