/** Adds or edits a template. */
import { workTemplatesApi, type WorkTemplateView } from '@portal/contract/work-templates.ts';
import { WORK_SERVICE_NAMES, WORK_SERVICES, type WorkService } from '@portal/domain/work-items/work-item.ts';
import { MAX_TEMPLATE_STEPS, type StepAnchor } from '@portal/domain/work-items/work-template.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Select, TextArea, TextInput } from '../../ui/input.tsx';
import { Grid, Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';

type Step = { readonly id: string; readonly title: string; readonly from: StepAnchor; readonly days: string; readonly checklist: string };
type TemplateDialogProps = { companyId: string; template: WorkTemplateView | undefined; onClose: () => void };

const TRIGGER_OPTIONS = {
  none: { label: 'Never (manual only)', trigger: null },
  vat: { label: 'When a VAT return period ends', trigger: { tax: 'vat', kind: 'return' } },
  ct: { label: 'When a company tax return period ends', trigger: { tax: 'ct', kind: 'return' } },
  sa: { label: 'When a Self Assessment tax year ends', trigger: { tax: 'sa', kind: 'return' } },
  updates: { label: 'When a quarterly update period ends', trigger: { tax: 'sa', kind: 'quarterly_update' } },
} as const;
type TriggerName = keyof typeof TRIGGER_OPTIONS;

const createStep = (): Step => ({ id: crypto.randomUUID(), title: '', from: 'due_day', days: '-7', checklist: '' });

export function TemplateDialog({ companyId, template, onClose }: TemplateDialogProps) {
  const [key] = useState(() => template?.key ?? crypto.randomUUID());
  const [name, setName] = useState(template?.name ?? '');
  const [service, setService] = useState<WorkService>(template?.service ?? 'other');
  const [trigger, setTrigger] = useState(() => findTriggerName(template));
  const [steps, setSteps] = useState<readonly Step[]>(
    template?.steps.map((step) => ({
      ...step,
      id: crypto.randomUUID(),
      days: String(step.days),
      checklist: step.checklist.join('\n'),
    })) ?? [createStep()],
  );
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: () =>
      apiRequest(workTemplatesApi.save, {
        company_id: companyId,
        key,
        name,
        service,
        trigger: TRIGGER_OPTIONS[trigger].trigger,
        steps: steps.map(({ title, from, days, checklist }) => ({
          title,
          from,
          days: Number(days),
          checklist: checklist.split('\n').filter((line) => line.trim() !== ''),
        })),
      }),
    onSuccess: async () => {
      onClose();
      await queryClient.invalidateQueries({ queryKey: [workTemplatesApi.list.path] });
    },
  });
  const missing = name.trim() === '' ? 'Enter a name.' : findStepProblem(steps);
  return (
    <ModalDialog
      open
      heading={template === undefined ? 'New template' : `Change ${template.name}`}
      onClose={onClose}
      loading={save.isPending}
      actions={
        <>
          <Button variant="outlined" onClick={onClose} disabled={save.isPending}>
            Cancel
          </Button>
          <SubmitButton missing={missing} isBusy={save.isPending} onClick={() => save.mutate()}>
            Save template
          </SubmitButton>
        </>
      }
    >
      {save.error && (
        <Notice tone="error" title="Nothing has changed" role="alert">
          {getErrorText(save.error)}
        </Notice>
      )}
      <Grid minColumn={240}>
        <FieldFrame id="template-name" label="Name">
          <TextInput id="template-name" value={name} maxLength={160} onChange={({ target }) => setName(target.value)} />
        </FieldFrame>
        <FieldFrame id="template-service" label="Service">
          <Select id="template-service" value={service} onChange={({ target }) => setService(target.value as WorkService)}>
            {WORK_SERVICES.map((item) => (
              <option key={item} value={item}>
                {WORK_SERVICE_NAMES[item]}
              </option>
            ))}
          </Select>
        </FieldFrame>
      </Grid>
      <FieldFrame id="template-trigger" label="Create tasks automatically">
        <Select id="template-trigger" value={trigger} onChange={({ target }) => setTrigger(target.value as TriggerName)}>
          {Object.entries(TRIGGER_OPTIONS).map(([value, { label }]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </FieldFrame>
      <Stack gap={16}>
        {steps.map((step, index) => (
          <StepFields
            key={step.id}
            step={step}
            number={index + 1}
            onChange={(changes) => setSteps(steps.map((item) => (item.id === step.id ? { ...item, ...changes } : item)))}
            onRemove={steps.length === 1 ? undefined : () => setSteps(steps.filter(({ id }) => id !== step.id))}
          />
        ))}
        {steps.length < MAX_TEMPLATE_STEPS && (
          <Button variant="outlined" size="small" onClick={() => setSteps([...steps, createStep()])}>
            Add a task
          </Button>
        )}
      </Stack>
    </ModalDialog>
  );
}

function findTriggerName(template: WorkTemplateView | undefined): TriggerName {
  const chosenTrigger = template?.trigger ?? null;
  const names = Object.keys(TRIGGER_OPTIONS) as TriggerName[];
  return (
    names.find(
      (name) => TRIGGER_OPTIONS[name].trigger?.tax === chosenTrigger?.tax && TRIGGER_OPTIONS[name].trigger?.kind === chosenTrigger?.kind,
    ) ?? 'none'
  );
}

function findStepProblem(steps: readonly Step[]): string | undefined {
  if (steps.some(({ title }) => title.trim() === '')) return 'Enter a title for each task.';
  return steps.some(({ days }) => !/^-?\d{1,3}$/.test(days.trim())) ? 'Enter a whole number of days for each task.' : undefined;
}

type StepFieldsProps = { step: Step; number: number; onChange: (changes: Partial<Step>) => void; onRemove: (() => void) | undefined };

function StepFields({ step: { id, title, from, days, checklist }, number, onChange, onRemove }: StepFieldsProps) {
  return (
    <Stack as="fieldset" gap={0}>
      <legend>Task {number}</legend>
      <FieldFrame id={`${id}-title`} label="Title">
        <TextInput id={`${id}-title`} value={title} maxLength={160} onChange={({ target }) => onChange({ title: target.value })} />
      </FieldFrame>
      <Grid minColumn={200}>
        <FieldFrame id={`${id}-days`} label="Days" hint="Use a minus for days before, for example -7.">
          <TextInput id={`${id}-days`} value={days} maxLength={4} onChange={({ target }) => onChange({ days: target.value })} />
        </FieldFrame>
        <FieldFrame id={`${id}-from`} label="Counted from" hint="If you use the template manually, days count from the date you enter.">
          <Select id={`${id}-from`} value={from} onChange={({ target }) => onChange({ from: target.value as StepAnchor })}>
            <option value="due_day">HMRC’s due date</option>
            <option value="period_end">The end of the period</option>
          </Select>
        </FieldFrame>
      </Grid>
      <FieldFrame id={`${id}-checklist`} label="Checklist" hint="One item per line." optional>
        <TextArea
          id={`${id}-checklist`}
          rows={3}
          value={checklist}
          maxLength={8000}
          onChange={({ target }) => onChange({ checklist: target.value })}
        />
      </FieldFrame>
      {onRemove && (
        <Button variant="text" size="small" onClick={onRemove}>
          Remove<HiddenText> task {number}</HiddenText>
        </Button>
      )}
    </Stack>
  );
}
