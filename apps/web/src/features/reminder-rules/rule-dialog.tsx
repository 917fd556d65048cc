import { reminderRulesApi, type ReminderRule } from '@portal/contract/reminder-rules.ts';
import { MESSAGE_TEMPLATES } from '@portal/domain/messages/message-templates.ts';
import { MAX_DAYS_BEFORE, type RemindedItem } from '@portal/domain/reminder-rules/reminder-rule.ts';
import { TAXES, TAX_NAMES, type Tax } from '@portal/domain/uk-tax/tax.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getDraftProblem } from '../../components/practice/message-fields.tsx';
import { MessageText } from '../../components/practice/message-text.tsx';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { Select, TextInput } from '../../ui/input.tsx';
import { Grid, Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';

type Props = { companyId: string; rule: ReminderRule | undefined; onClose: () => void };
type RuleDraft = { name: string; tax: Tax; item: RemindedItem; days: string; escalationDays: string; subject: string; body: string };

const [FIRST_TEMPLATE] = MESSAGE_TEMPLATES;
const NEW: RuleDraft = {
  name: '',
  tax: 'vat',
  item: 'return',
  days: '14',
  escalationDays: '',
  subject: FIRST_TEMPLATE?.subject ?? '',
  body: FIRST_TEMPLATE?.body ?? '',
};

const toDraft = ({ name, tax, item, days_before: days, escalate_days: escalateReminder, subject, body }: ReminderRule): RuleDraft => {
  return { name, tax, item, days: String(days), escalationDays: escalateReminder === null ? '' : String(escalateReminder), subject, body };
};

const isValidDays = (text: string): boolean => /^\d{1,2}$/.test(text) && Number(text) <= MAX_DAYS_BEFORE;

function findProblem({ name, days, escalationDays, ...text }: RuleDraft): string | undefined {
  if (name.trim() === '') return 'Enter a name.';
  if (!isValidDays(days)) return `Enter a number of days from 0 to ${MAX_DAYS_BEFORE}.`;
  if (escalationDays !== '' && (!isValidDays(escalationDays) || Number(escalationDays) >= Number(days)))
    return 'Notify your colleague after the client reminder, closer to the deadline.';
  return getDraftProblem({ ...text, sendAt: '' });
}

/** Edits a rule, or adds one that is off at first. */
export function RuleDialog({ companyId, rule, onClose }: Props) {
  // Stays the same for every click, so that a second one doesn't add another rule.
  const [id] = useState(() => rule?.rule_id ?? crypto.randomUUID());
  const [draft, setDraft] = useState<RuleDraft>(() => (rule === undefined ? NEW : toDraft(rule)));
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: () => {
      const { days, escalationDays, ...rest } = draft;
      const numbers = { days_before: Number(days), escalate_days: escalationDays === '' ? null : Number(escalationDays) };
      return apiRequest(reminderRulesApi.save, { company_id: companyId, rule_id: id, version: rule?.version ?? 0, ...rest, ...numbers });
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: [reminderRulesApi.list.path] });
      onClose();
    },
  });
  return (
    <ModalDialog
      open
      heading={rule === undefined ? 'New reminder rule' : 'Edit reminder rule'}
      onClose={onClose}
      loading={save.isPending}
      actions={
        <>
          <Button variant="outlined" onClick={onClose} disabled={save.isPending}>
            Cancel
          </Button>
          <SubmitButton missing={findProblem(draft)} isBusy={save.isPending} onClick={() => save.mutate()}>
            Save rule
          </SubmitButton>
        </>
      }
    >
      <Stack gap={0}>
        <FieldFrame id="rule-name" label="Name">
          <TextInput
            id="rule-name"
            value={draft.name}
            maxLength={160}
            autoComplete="off"
            onChange={({ target }) => setDraft({ ...draft, name: target.value })}
          />
        </FieldFrame>
        <WhenFields draft={draft} onChange={setDraft} />
        <MessageText companyId={companyId} text={draft} onChange={(text) => setDraft({ ...draft, ...text })} />
      </Stack>
      {save.error !== null && (
        <Notice tone="error" title="The rule wasn’t saved" role="alert">
          {getErrorText(save.error)}
        </Notice>
      )}
    </ModalDialog>
  );
}

function WhenFields({ draft, onChange }: { draft: RuleDraft; onChange: (draft: RuleDraft) => void }) {
  return (
    <Grid minColumn={200}>
      <FieldFrame id="rule-tax" label="Tax">
        <Select id="rule-tax" value={draft.tax} onChange={({ target }) => onChange({ ...draft, tax: target.value as Tax })}>
          {TAXES.map((tax) => (
            <option key={tax} value={tax}>
              {TAX_NAMES[tax]}
            </option>
          ))}
        </Select>
      </FieldFrame>
      <FieldFrame id="rule-item" label="Remind clients about">
        <Select id="rule-item" value={draft.item} onChange={({ target }) => onChange({ ...draft, item: target.value as RemindedItem })}>
          <option value="return">Filing the return</option>
          <option value="payment">Paying</option>
        </Select>
      </FieldFrame>
      <FieldFrame id="rule-days" label="Days before">
        <TextInput
          id="rule-days"
          inputMode="numeric"
          widthInCharacters={4}
          value={draft.days}
          onChange={({ target }) => onChange({ ...draft, days: target.value.trim() })}
        />
      </FieldFrame>
      <FieldFrame id="rule-escalate" label="Notify a colleague (days before)" optional>
        <TextInput
          id="rule-escalate"
          inputMode="numeric"
          widthInCharacters={4}
          value={draft.escalationDays}
          onChange={({ target }) => onChange({ ...draft, escalationDays: target.value.trim() })}
        />
      </FieldFrame>
    </Grid>
  );
}
