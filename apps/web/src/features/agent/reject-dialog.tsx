/** Rejects drafts, and records the reason so that their rule can learn from it. */
import { agentModeApi, type AgentProposal, type AgentRuleState } from '@portal/contract/agent.ts';
import { MAX_REASON_LENGTH, type RejectionEffect } from '@portal/domain/agent/agent-mode.ts';
import { parsePlainDate } from '@portal/domain/plain-date.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { Radio } from '../../ui/choice.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Text } from '../../ui/text.tsx';
import { formatThresholdUnit, parseThreshold, toInputValue } from './threshold-text.ts';
import { useInvalidateAgent } from './use-agent.ts';

type RejectDialogProps = { companyId: string; proposals: readonly AgentProposal[]; mayManage: boolean; onClose: () => void };

export function RejectDialog({ companyId, proposals, mayManage, onClose }: RejectDialogProps) {
  const [effect, setEffect] = useState<RejectionEffect>('wrong');
  const [reason, setReason] = useState('');
  const [snoozeUntil, setSnoozeUntil] = useState('');
  const [number, setNumber] = useState<string | null>(null);
  const rules = useQuery(apiQuery(agentModeApi.rules, { company_id: companyId }));
  const ruleIds = new Set(proposals.map(({ rule_id: id }) => id));
  const rule = ruleIds.size === 1 ? rules.data?.rules.find(({ rule_id: id }) => ruleIds.has(id)) : undefined;
  const threshold = mayManage ? (rule?.threshold ?? null) : null;
  const shownValue = number ?? (threshold === null ? '' : toInputValue(threshold));
  const invalidate = useInvalidateAgent();
  const reject = useMutation({
    mutationFn: () => {
      const day = parsePlainDate(snoozeUntil);
      return apiRequest(agentModeApi.reject, {
        company_id: companyId,
        proposal_ids: proposals.map(({ proposal_id: id }) => id),
        lesson: effect,
        reason,
        ...(effect === 'snooze' && day !== undefined ? { snooze_until: day } : {}),
        ...(effect === 'threshold' && threshold !== null ? { threshold: parseThreshold(threshold, shownValue) } : {}),
      });
    },
    onSuccess: async () => {
      onClose();
      await invalidate();
    },
  });
  const [first] = proposals;
  return (
    <ConfirmDialog
      heading={proposals.length === 1 ? `Reject “${first?.title ?? ''}”` : `Reject ${proposals.length} drafts`}
      mutation={reject}
      onConfirm={() => reject.mutate()}
      onClose={onClose}
      confirmLabel="Reject"
    >
      <Stack as="fieldset" gap={8}>
        <Text as="legend" weight="medium">
          Why are you rejecting this?
        </Text>
        <Choice value="wrong" label="It’s wrong" hint="Counted in the rule’s statistics." lesson={effect} onChange={setEffect} />
        <Choice value="snooze" label="Not now" hint="Propose it again later if it still applies." lesson={effect} onChange={setEffect} />
        <Choice
          value="never"
          label="Never for this client"
          hint="Switches the rule off for the client."
          lesson={effect}
          onChange={setEffect}
        />
        {threshold !== null && (
          <Choice
            value="threshold"
            label="Change the rule’s threshold"
            hint="For the whole practice."
            lesson={effect}
            onChange={setEffect}
          />
        )}
      </Stack>
      {effect === 'snooze' && (
        <FieldFrame id="snooze-until" label="Until">
          <TextInput id="snooze-until" type="date" value={snoozeUntil} onChange={({ target }) => setSnoozeUntil(target.value)} />
        </FieldFrame>
      )}
      {effect === 'threshold' && threshold !== null && <ThresholdField threshold={threshold} value={shownValue} onChange={setNumber} />}
      <FieldFrame id="reject-reason" label="Reason" optional>
        <TextInput id="reject-reason" value={reason} maxLength={MAX_REASON_LENGTH} onChange={({ target }) => setReason(target.value)} />
      </FieldFrame>
    </ConfirmDialog>
  );
}

type ChoiceProps = {
  value: RejectionEffect;
  label: string;
  hint: string;
  lesson: RejectionEffect;
  onChange: (lesson: RejectionEffect) => void;
};

function Choice({ value, label, hint, lesson, onChange }: ChoiceProps) {
  return <Radio name="lesson" label={label} hint={hint} checked={lesson === value} onChange={() => onChange(value)} />;
}

type ThresholdFieldProps = { threshold: NonNullable<AgentRuleState['threshold']>; value: string; onChange: (value: string) => void };

function ThresholdField({ threshold, value, onChange }: ThresholdFieldProps) {
  return (
    <FieldFrame id="reject-threshold" label={formatThresholdUnit(threshold)}>
      <TextInput
        id="reject-threshold"
        inputMode="numeric"
        widthInCharacters={8}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </FieldFrame>
  );
}
