/** Controls what the assistant may do, with a switch that stops it immediately. */
import { agentModeApi, type AgentModeState } from '@portal/contract/agent.ts';
import { AGENT_MODE_NAMES } from '@portal/domain/agent/agent-mode.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { InstantText } from '../../components/formats/date-text.tsx';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import { ModeDialog } from './mode-dialog.tsx';
import { useInvalidateAgent } from './use-agent.ts';

const EXPLANATIONS = {
  off: 'The rules don’t run.',
  suggest: 'It suggests, and your team decides. It never acts on its own.',
  act_on_safe:
    'It also assigns, tags and adds notes automatically: only actions that stay within your practice and can be undone. Everything else needs a person.',
} as const;

export function ModeCard({ companyId, state }: { companyId: string; state: AgentModeState }) {
  const [isChanging, setIsChanging] = useState(false);
  const { mode, is_paused: isPaused, may_manage: canManage, checked_at: checkedAt } = state;
  const invalidate = useInvalidateAgent();
  const pause = useMutation({
    mutationFn: (shouldPause: boolean) => apiRequest(agentModeApi.pause, { company_id: companyId, is_paused: shouldPause }),
    onSettled: invalidate,
  });
  return (
    <SectionCard
      title={isPaused ? 'Paused' : AGENT_MODE_NAMES[mode]}
      aside={
        mode !== 'off' &&
        (isPaused ? <StateChip label="Paused" icon="warning" tone="error" /> : <StateChip label="On" icon="checkCircle" tone="success" />)
      }
      source={
        <>
          Rules version {state.rules_version}
          {checkedAt !== null && (
            <>
              , last run <InstantText at={checkedAt} />
            </>
          )}
        </>
      }
    >
      <Stack gap={12}>
        <Text>
          {isPaused
            ? `Paused by ${state.paused_by ?? 'a former colleague'}. Nothing will run until an admin resumes it.`
            : EXPLANATIONS[mode]}
        </Text>
        {mode !== 'off' && state.enabled_by !== null && state.enabled_at !== null && (
          <Text size="small" tone="quiet">
            Switched on by {state.enabled_by}, <InstantText at={state.enabled_at} />
            {mode === 'act_on_safe' && '. The assistant uses this person’s permissions'}.
          </Text>
        )}
        {pause.error && (
          <Notice tone="error" title="Nothing has changed" role="alert">
            {getErrorText(pause.error)}
          </Notice>
        )}
        <Row gap={8}>
          {mode !== 'off' && !isPaused && (
            <Button size="small" tone="error" variant="outlined" onClick={() => pause.mutate(true)} isBusy={pause.isPending}>
              Pause assistant
            </Button>
          )}
          {mode !== 'off' && isPaused && canManage && (
            <Button size="small" onClick={() => pause.mutate(false)} isBusy={pause.isPending}>
              Resume
            </Button>
          )}
          {canManage && (
            <Button size="small" variant={mode === 'off' ? 'filled' : 'outlined'} onClick={() => setIsChanging(true)}>
              {mode === 'off' ? 'Switch on' : 'Change'}
            </Button>
          )}
          {!canManage && mode === 'off' && <Text size="small">Ask an admin of your practice to switch it on.</Text>}
        </Row>
      </Stack>
      {isChanging && <ModeDialog companyId={companyId} state={state} onClose={() => setIsChanging(false)} />}
    </SectionCard>
  );
}
