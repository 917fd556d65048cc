/** One rule that assigns imported clients: which clients, which role, and which member. */
import type { AssignmentRule } from '@portal/contract/assignment-rules.ts';
import { clientsApi } from '@portal/contract/clients.ts';
import { DUTIES, type Duty } from '@portal/domain/clients/client.ts';
import { parseRuleValues, RULE_CONDITIONS, type RuleCondition } from '@portal/domain/team/assignment-rules.ts';
import { TAXES, TAX_NAMES } from '@portal/domain/uk-tax/tax.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../lib/api.ts';
import { DUTY_NAMES } from '../../lib/client-labels.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/choice.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { Select, TextInput } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { getMissingText, SubmitButton } from '../../ui/submit-button.tsx';

export type RuleChoice = Pick<AssignmentRule, 'by' | 'duty' | 'user_id'> & { readonly values: readonly string[] };

const CONDITION_NAMES: Readonly<Record<RuleCondition['by'], string>> = {
  postcode: 'Postcode area',
  tax: 'Tax',
  letter: 'First letter of the name',
};
const VALUE_FIELDS = {
  postcode: { label: 'Postcode areas', hint: 'The letters at the start of the postcode, separated by commas: SW, W, EC.' },
  letter: { label: 'Letters', hint: 'Letters or ranges, separated by commas: A-F, M. Use 0-9 for names that start with a digit.' },
} as const;

type RuleDialogProps = {
  companyId: string;
  /** Undefined for a new rule. */
  rule: AssignmentRule | undefined;
  error: unknown;
  isBusy: boolean;
  onSave: (rule: RuleChoice) => void;
  onClose: () => void;
};

export function RuleDialog({ companyId, rule, error, isBusy, onSave, onClose }: RuleDialogProps) {
  const [by, setBy] = useState<RuleCondition['by']>(rule?.by ?? 'postcode');
  const [valuesText, setText] = useState(rule !== undefined && rule.by !== 'tax' ? rule.values.join(', ') : '');
  const [taxes, setTaxes] = useState<readonly string[]>(rule?.by === 'tax' ? rule.values : []);
  const [duty, setDuty] = useState<Duty>(rule?.duty ?? 'manager');
  // A member who has left can't be selected, so the user must choose another.
  const [userId, setUserId] = useState(rule?.is_active === false ? '' : (rule?.user_id ?? ''));
  const [isLeft, setIsLeft] = useState(false);
  const members = useQuery(apiQuery(clientsApi.members, { company_id: companyId }));
  const values = parseRuleValues(by, by === 'tax' ? taxes : valuesText.split(/[,;\n]/));
  const fieldError = isLeft && valuesText.trim() !== '' && !values.ok ? values.reason : undefined;
  const missing = getMissingText([values.ok ? undefined : values.reason, userId === '' ? 'Choose a team member.' : undefined]);
  const save = () => {
    if (values.ok && missing === undefined) onSave({ by, values: values.value, duty, user_id: userId });
  };
  return (
    <ModalDialog
      open
      small
      heading={rule === undefined ? 'Add a rule' : 'Edit the rule'}
      onClose={onClose}
      loading={isBusy}
      actions={
        <>
          <Button variant="outlined" onClick={onClose} disabled={isBusy}>
            Cancel
          </Button>
          <SubmitButton missing={missing} isBusy={isBusy} onClick={save}>
            Save rule
          </SubmitButton>
        </>
      }
    >
      {error ? (
        <Notice tone="error" title="Nothing has changed" role="alert">
          {getErrorText(error)}
        </Notice>
      ) : null}
      <FieldFrame id="rule-by" label="Choose clients by">
        <Select
          id="rule-by"
          value={by}
          onChange={({ target }) => setBy(RULE_CONDITIONS.find((item) => item === target.value) ?? 'postcode')}
        >
          {RULE_CONDITIONS.map((item) => (
            <option key={item} value={item}>
              {CONDITION_NAMES[item]}
            </option>
          ))}
        </Select>
      </FieldFrame>
      {by === 'tax' ? (
        <TaxChoices chosen={taxes} onChange={setTaxes} />
      ) : (
        <FieldFrame id="rule-values" label={VALUE_FIELDS[by].label} hint={VALUE_FIELDS[by].hint} error={fieldError}>
          <TextInput
            id="rule-values"
            value={valuesText}
            onChange={({ target }) => setText(target.value)}
            onBlur={() => setIsLeft(true)}
            isInvalid={fieldError !== undefined}
            autoComplete="off"
          />
        </FieldFrame>
      )}
      <FieldFrame id="rule-duty" label="Role">
        <Select id="rule-duty" value={duty} onChange={({ target }) => setDuty(DUTIES.find((item) => item === target.value) ?? 'manager')}>
          {DUTIES.map((item) => (
            <option key={item} value={item}>
              {DUTY_NAMES[item]}
            </option>
          ))}
        </Select>
      </FieldFrame>
      <FieldFrame id="rule-member" label="Assign to">
        <Select id="rule-member" value={userId} onChange={({ target }) => setUserId(target.value)}>
          <option value="">Choose…</option>
          {(members.data?.members ?? []).map(({ user_id: id, full_name: name, is_you: isYou }) => (
            <option key={id} value={id}>
              {isYou ? `${name} (you)` : name}
            </option>
          ))}
        </Select>
      </FieldFrame>
    </ModalDialog>
  );
}

function TaxChoices({ chosen, onChange }: { chosen: readonly string[]; onChange: (taxes: readonly string[]) => void }) {
  return (
    <Stack as="fieldset" gap={4} aria-label="Taxes">
      {TAXES.map((tax) => (
        <Checkbox
          key={tax}
          label={TAX_NAMES[tax]}
          checked={chosen.includes(tax)}
          onChange={({ target }) => onChange(target.checked ? [...chosen, tax] : chosen.filter((item) => item !== tax))}
        />
      ))}
    </Stack>
  );
}
