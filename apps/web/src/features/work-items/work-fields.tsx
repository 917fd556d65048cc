/** The fields of a task, in the dialogs that create and change one. */
import {
  MAX_CHECKLIST_LINES,
  MAX_WORK_NOTES_LENGTH,
  MAX_WORK_TITLE_LENGTH,
  WORK_SERVICE_NAMES,
  WORK_SERVICES,
  type WorkService,
} from '@portal/domain/work-items/work-item.ts';
import { Button } from '../../ui/button.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Grid, Row, Stack } from '../../ui/layout.tsx';
import { Select, TextArea, TextInput } from '../../ui/input.tsx';
import { useMembers } from './work-filters.tsx';

export type WorkValues = {
  readonly title: string;
  readonly notes: string;
  readonly service: WorkService;
  readonly due_on: string;
  readonly owner_id: string;
  readonly checklist: readonly { readonly id: string; readonly text: string; readonly is_done: boolean }[];
};

type WorkFieldsProps = { companyId: string; values: WorkValues; onChange: (values: WorkValues) => void };

export function WorkFields({ companyId, values, onChange }: WorkFieldsProps) {
  const members = useMembers(companyId);
  const set = (changes: Partial<WorkValues>) => onChange({ ...values, ...changes });
  return (
    <Stack gap={0}>
      <FieldFrame id="work-title" label="Title">
        <TextInput
          id="work-title"
          value={values.title}
          maxLength={MAX_WORK_TITLE_LENGTH}
          onChange={({ target }) => set({ title: target.value })}
        />
      </FieldFrame>
      <Grid minColumn={200}>
        <FieldFrame id="work-owner" label="Owner">
          <Select id="work-owner" value={values.owner_id} onChange={({ target }) => set({ owner_id: target.value })}>
            <option value="">Unassigned</option>
            {members.map(({ user_id: id, full_name: name, is_you: isYou }) => (
              <option key={id} value={id}>
                {isYou ? `${name} (you)` : name}
              </option>
            ))}
          </Select>
        </FieldFrame>
        <FieldFrame id="work-due" label="Due date" optional>
          <TextInput id="work-due" type="date" value={values.due_on} onChange={({ target }) => set({ due_on: target.value })} />
        </FieldFrame>
        <FieldFrame id="work-service" label="Service">
          <Select id="work-service" value={values.service} onChange={({ target }) => set({ service: target.value as WorkService })}>
            {WORK_SERVICES.map((service) => (
              <option key={service} value={service}>
                {WORK_SERVICE_NAMES[service]}
              </option>
            ))}
          </Select>
        </FieldFrame>
      </Grid>
      <FieldFrame id="work-notes" label="Notes" optional>
        <TextArea
          id="work-notes"
          rows={3}
          value={values.notes}
          maxLength={MAX_WORK_NOTES_LENGTH}
          onChange={({ target }) => set({ notes: target.value })}
        />
      </FieldFrame>
      <ChecklistFields values={values} set={set} />
    </Stack>
  );
}

function ChecklistFields({ values: { checklist }, set }: { values: WorkValues; set: (changes: Partial<WorkValues>) => void }) {
  return (
    <Stack as="fieldset" gap={8}>
      <legend>Checklist</legend>
      {checklist.map((line, index) => (
        <Row key={line.id} gap={8} wrap={false}>
          <TextInput
            small
            aria-label={`Checklist item ${index + 1}`}
            value={line.text}
            maxLength={200}
            onChange={({ target }) =>
              set({ checklist: checklist.map((item) => (item.id === line.id ? { ...item, text: target.value } : item)) })
            }
          />
          <Button variant="text" size="small" onClick={() => set({ checklist: checklist.filter(({ id }) => id !== line.id) })}>
            Remove<HiddenText> line {index + 1}</HiddenText>
          </Button>
        </Row>
      ))}
      {checklist.length < MAX_CHECKLIST_LINES && (
        <Button
          variant="outlined"
          size="small"

          onClick={() => set({ checklist: [...checklist, { id: crypto.randomUUID(), text: '', is_done: false }] })}
        >
          Add an item
        </Button>
      )}
    </Stack>
  );
}

/** Converts the form to request input. Empty lines of the checklist are omitted. */
export function toWorkInput({ due_on: dueOn, owner_id: ownerId, checklist, ...rest }: WorkValues) {
  return {
    ...rest,
    due_on: dueOn === '' ? null : dueOn,
    owner_id: ownerId === '' ? null : ownerId,
    checklist: checklist.filter(({ text }) => text.trim() !== '').map((line) => ({ ...line })),
  };
}
