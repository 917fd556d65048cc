/** Changes what the assistant may do. First shows what it would have proposed in the last 30 days. */
import { agentModeApi, type AgentModeState } from '@portal/contract/agent.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import {
  AGENT_MODE_NAMES,
  AGENT_MODES,
  DRY_RUN_DAYS,
  MAX_ACTIONS_PER_DAY,
  MAX_DRAFTS_PER_DAY,
  type AgentMode,
} from '@portal/domain/agent/agent-mode.ts';
import { formatPeriod } from '@portal/domain/plain-date.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DateText } from '../../components/formats/date-text.tsx';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { Radio } from '../../ui/choice.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import { useInvalidateAgent } from './use-agent.ts';

const MODE_HINTS: Readonly<Record<AgentMode, string>> = {
  off: 'The rules don’t run. Drafts stay as they are.',
  suggest: 'It suggests; your team makes every decision.',
  act_on_safe:
    'It also assigns, tags and adds notes automatically, with your permissions. Sending, filing, paying, pricing and deleting always need a person.',
};

type ModeDialogProps = { companyId: string; state: AgentModeState; onClose: () => void };

export function ModeDialog({ companyId, state, onClose }: ModeDialogProps) {
  const [mode, setMode] = useState<AgentMode>(state.mode === 'off' ? 'suggest' : state.mode);
  const [draftLimit, setDraftLimit] = useState(String(state.drafts_per_day));
  const [actionLimit, setActionLimit] = useState(String(state.acts_per_day));
  const dryRun = useQuery({ ...apiQuery(agentModeApi.dryRun, { company_id: companyId }), staleTime: 300_000 });
  const invalidate = useInvalidateAgent();
  const save = useMutation({
    mutationFn: () =>
      apiRequest(agentModeApi.setMode, {
        company_id: companyId,
        mode,
        drafts_per_day: Number(draftLimit),
        acts_per_day: Number(actionLimit),
      }),
    onSuccess: async () => {
      onClose();
      await invalidate();
    },
  });
  return (
    <ConfirmDialog
      heading="Assistant mode"
      mutation={save}
      onConfirm={() => save.mutate()}
      onClose={onClose}
      confirmLabel={state.mode === 'off' && mode !== 'off' ? 'Switch on' : 'Save'}
      missing={mode !== 'off' && !dryRun.isSuccess ? 'Wait for the dry run.' : undefined}
      wide
    >
      <Stack as="fieldset" gap={8}>
        <Text as="legend" weight="medium">
          Mode
        </Text>
        {AGENT_MODES.map((item) => (
          <Radio
            key={item}
            name="mode"
            label={AGENT_MODE_NAMES[item]}
            hint={MODE_HINTS[item]}
            checked={mode === item}
            onChange={() => setMode(item)}
          />
        ))}
      </Stack>
      <Row gap={16} align="start">
        <FieldFrame id="drafts-per-day" label="Drafts per day" hint={`At most ${MAX_DRAFTS_PER_DAY.toLocaleString('en-GB')}`}>
          <TextInput
            id="drafts-per-day"
            inputMode="numeric"
            widthInCharacters={6}
            value={draftLimit}
            onChange={({ target }) => setDraftLimit(target.value)}
          />
        </FieldFrame>
        <FieldFrame id="acts-per-day" label="Automatic actions per day" hint={`At most ${MAX_ACTIONS_PER_DAY.toLocaleString('en-GB')}`}>
          <TextInput
            id="acts-per-day"
            inputMode="numeric"
            widthInCharacters={6}
            value={actionLimit}
            onChange={({ target }) => setActionLimit(target.value)}
          />
        </FieldFrame>
      </Row>
      {mode !== 'off' && <LoadState query={dryRun}>{(result) => <DryRun result={result} mode={mode} />}</LoadState>}
    </ConfirmDialog>
  );
}

const formatCount = (number: number, noun: string): string => `${number.toLocaleString('en-GB')} ${noun}${number === 1 ? '' : 's'}`;

function DryRun({ result: { from, to, clients, rules }, mode }: { result: EndpointOutput<typeof agentModeApi.dryRun>; mode: AgentMode }) {
  const total = rules.reduce((sum, { proposals }) => sum + proposals, 0);
  return (
    <Stack gap={12}>
      <Heading level={3}>Dry run of the last {DRY_RUN_DAYS} days</Heading>
      <Text>
        From {formatPeriod(from, to)} the rules would have proposed {formatCount(total, 'act')} for your {formatCount(clients, 'client')},
        before applying the daily limits. Nothing was sent or changed. Excludes due dates that have since been met.
      </Text>
      <Stack as="ul" gap={8} aria-label="Proposals in the dry run">
        {rules.map((rule) => (
          <li key={rule.rule_id}>
            <Text>
              {rule.name}: {rule.proposals.toLocaleString('en-GB')}
              {mode === 'act_on_safe' && rule.is_safe && ', automatically'}{' '}
              <Text as="span" tone="quiet">
                ({rule.proposes_text.toLowerCase()})
              </Text>
            </Text>
            {rule.examples[0] !== undefined && (
              <Text size="small" tone="quiet">
                For example, on <DateText date={rule.examples[0].on} style="short" />, {rule.examples[0].client}: {rule.examples[0].title}
              </Text>
            )}
          </li>
        ))}
      </Stack>
    </Stack>
  );
}
