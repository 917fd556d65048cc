/** Creates a promotion code. It can be used once a second operator has approved it. */
import type { EndpointInput, EndpointOutput } from '@portal/contract/endpoint.ts';
import { operatorPricingApi } from '@portal/contract/operator-pricing.ts';
import { parsePounds } from '@portal/domain/money.ts';
import { parsePlainDate } from '@portal/domain/plain-date.ts';
import { PROMOTION_KINDS, type PromotionKind } from '@portal/domain/pricing/promotion.ts';
import { useState } from 'react';
import { apiRequest, ApiError } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Checkbox } from '../../ui/choice.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { Select, TextInput } from '../../ui/input.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { getMissingText, SubmitButton } from '../../ui/submit-button.tsx';
import { Text } from '../../ui/text.tsx';
import { getReasonError, ReasonField } from './reason-field.tsx';
import { useApprovalRequest } from './use-approval-request.ts';

type PromotionCodes = EndpointOutput<typeof operatorPricingApi.codes>;
type CodeInput = EndpointInput<typeof operatorPricingApi.requestCode>;

const KIND_LABELS: Readonly<Record<PromotionKind, { label: string; value: string }>> = {
  percent: { label: 'Percentage off', value: 'Percentage' },
  pence: { label: 'Amount off per month', value: 'Pounds per month' },
  free_months: { label: 'Free months', value: 'Months' },
};

const EMPTY = { code: '', value: '', months: '', starts: '', ends: '', maxUses: '', perPractice: '1', reason: '' };
type Texts = typeof EMPTY;
type Limits = { readonly tiers: readonly string[]; readonly partners: readonly string[] };

export function PromotionCodeDialog({ data, onClose }: { data: PromotionCodes; onClose: () => void }) {
  const [kind, setKind] = useState<PromotionKind>('percent');
  const [texts, setTexts] = useState(EMPTY);
  const [limits, setLimits] = useState<Limits>({ tiers: [], partners: [] });
  const parsed = parseTexts(kind, texts, limits);
  const send = useApprovalRequest({
    send: (input: CodeInput) => apiRequest(operatorPricingApi.requestCode, input),
    onClose,
  });
  const getFieldProps = (name: keyof Texts) => ({
    id: `code-${name}`,
    value: texts[name],
    onChange: ({ target }: { target: { value: string } }) => setTexts({ ...texts, [name]: target.value }),
  });
  return (
    <ModalDialog
      open
      heading="New promotion code"
      loading={send.isPending}
      onClose={onClose}
      actions={
        <SubmitButton
          missing={getMissingText([parsed.problem, getReasonError(texts.reason)])}
          isBusy={send.isPending}
          onClick={() => parsed.input && send.mutate(parsed.input)}
        >
          Request approval
        </SubmitButton>
      }
    >
      <Stack>
        <FieldFrame id="code-code" label="Code" hint="3 to 40 letters, digits and hyphens. Codes can’t be reused with different terms.">
          <TextInput {...getFieldProps('code')} widthInCharacters={24} autoComplete="off" aria-describedby="code-code-hint" />
        </FieldFrame>
        <Row gap={16} align="end">
          <FieldFrame id="code-kind" label="Kind">
            <Select
              id="code-kind"
              value={kind}
              onChange={({ target }) => setKind(PROMOTION_KINDS.find((item) => item === target.value) ?? kind)}
            >
              {PROMOTION_KINDS.map((item) => (
                <option key={item} value={item}>
                  {KIND_LABELS[item].label}
                </option>
              ))}
            </Select>
          </FieldFrame>
          <FieldFrame id="code-value" label={KIND_LABELS[kind].value}>
            <TextInput {...getFieldProps('value')} inputMode="decimal" widthInCharacters={6} />
          </FieldFrame>
          {kind !== 'free_months' && (
            <FieldFrame id="code-months" label="Number of months" optional>
              <TextInput {...getFieldProps('months')} inputMode="numeric" widthInCharacters={6} placeholder="No limit" />
            </FieldFrame>
          )}
        </Row>
        <Row gap={16} align="end">
          <FieldFrame id="code-starts" label="First day">
            <TextInput {...getFieldProps('starts')} type="date" widthInCharacters={14} />
          </FieldFrame>
          <FieldFrame id="code-ends" label="Last day" optional>
            <TextInput {...getFieldProps('ends')} type="date" widthInCharacters={14} />
          </FieldFrame>
        </Row>
        <Row gap={16} align="end">
          <FieldFrame id="code-maxUses" label="Total uses" optional>
            <TextInput {...getFieldProps('maxUses')} inputMode="numeric" widthInCharacters={8} placeholder="No limit" />
          </FieldFrame>
          <FieldFrame id="code-perPractice" label="Uses per practice">
            <TextInput {...getFieldProps('perPractice')} inputMode="numeric" widthInCharacters={6} />
          </FieldFrame>
        </Row>
        <LimitFields data={data} limits={limits} onChange={setLimits} />
        <ReasonField id="code-reason" value={texts.reason} onChange={(reason) => setTexts({ ...texts, reason })} />
        {send.error && (
          <Text role="alert" tone="error">
            {send.error instanceof ApiError ? send.error.message : getErrorText(send.error)}
          </Text>
        )}
      </Stack>
    </ModalDialog>
  );
}

function LimitFields({ data, limits, onChange }: { data: PromotionCodes; limits: Limits; onChange: (limits: Limits) => void }) {
  const toggle = (names: readonly string[], name: string) =>
    names.includes(name) ? names.filter((item) => item !== name) : [...names, name];
  return (
    <>
      <Stack as="fieldset" gap={8}>
        <Text as="legend" weight="medium">
          For customers on these tiers (leave blank for all)
        </Text>
        {data.tiers.map((name) => (
          <Checkbox
            key={name}
            label={name}
            checked={limits.tiers.includes(name)}
            onChange={() => onChange({ ...limits, tiers: toggle(limits.tiers, name) })}
          />
        ))}
      </Stack>
      <Stack as="fieldset" gap={8}>
        <Text as="legend" weight="medium">
          Practices referred by these partners (leave blank for all)
        </Text>
        {data.partners.map(({ name, label }) => (
          <Checkbox
            key={name}
            label={label}
            checked={limits.partners.includes(name)}
            onChange={() => onChange({ ...limits, partners: toggle(limits.partners, name) })}
          />
        ))}
      </Stack>
    </>
  );
}

/** Returns the input, or the first problem in field order. */
function parseTexts(kind: PromotionKind, texts: Texts, limits: Limits): { problem?: string; input?: CodeInput } {
  const value = kind === 'pence' ? parsePounds(texts.value) : parseWholeNumber(texts.value);
  const months = kind === 'free_months' || texts.months === '' ? null : parseWholeNumber(texts.months);
  const startsOn = parsePlainDate(texts.starts);
  const endsOn = texts.ends === '' ? null : parsePlainDate(texts.ends);
  const maxUses = texts.maxUses === '' ? null : parseWholeNumber(texts.maxUses);
  const usesPerPractice = parseWholeNumber(texts.perPractice);
  if (!/^[A-Za-z0-9-]{3,40}$/.test(texts.code.trim())) return { problem: 'Enter the code.' };
  if (value === undefined || value < 1) return { problem: `Enter the ${KIND_LABELS[kind].value.toLowerCase()}.` };
  if (months === undefined) return { problem: 'Enter a whole number of months, or leave it blank.' };
  if (startsOn === undefined) return { problem: 'Enter the first day.' };
  if (endsOn === undefined) return { problem: 'Enter the last day, or leave it blank.' };
  if (maxUses === undefined) return { problem: 'Enter a whole number of uses, or leave it blank.' };
  if (usesPerPractice === undefined) return { problem: 'Enter how many times one practice can use it.' };
  const { tiers, partners } = limits;
  return {
    input: {
      code: texts.code,
      kind,
      value,
      months,
      tiers: [...tiers],
      partners: [...partners],
      starts_on: startsOn,
      ends_on: endsOn,
      max_uses: maxUses,
      max_uses_per_practice: usesPerPractice,
      reason: texts.reason,
    },
  };
}

function parseWholeNumber(text: string): number | undefined {
  return /^\d{1,7}$/.test(text.trim()) ? Number(text) : undefined;
}
