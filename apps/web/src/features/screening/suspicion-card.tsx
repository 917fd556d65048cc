/** One possible match: what was found, and the officer's decision with its reason. */
import { screeningApi, type SuspicionOutput } from '@portal/contract/screening.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { InstantText } from '../../components/formats/date-text.tsx';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { FieldFrame, getDescribedBy } from '../../ui/form-field.tsx';
import { TextArea } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import { MissingLine } from '../../ui/missing-line.tsx';

type SuspicionDecision = NonNullable<SuspicionOutput['decision']>;

const CHIPS = {
  cleared: { label: 'Cleared', icon: 'check', tone: 'success' },
  confirmed: { label: 'Confirmed', icon: 'errorCircle', tone: 'error' },
} as const;

/** OpenSanctions' topics (https://www.opensanctions.org/docs/topics/). Rarer ones are shown unchanged. */
const TOPIC_LABELS: Readonly<Record<string, string>> = {
  sanction: 'Sanctioned',
  'role.pep': 'Politically exposed person',
  'crime.fin': 'Financial crime',
  not_returned: 'Unknown: look the name up at OpenSanctions',
};

const HINT = 'What you compared, and the result. It’s kept as evidence for five years after the relationship ends.';

export function SuspicionCard({ suspicion }: { suspicion: SuspicionOutput }) {
  const { decision } = suspicion;
  return (
    <SectionCard
      title={suspicion.subject_name}
      aside={
        <StateChip
          {...(decision === null ? ({ label: 'Needs a decision', icon: 'warning', tone: 'warning' } as const) : CHIPS[decision])}
        />
      }
    >
      <Stack>
        <FactList
          facts={[
            { label: 'Company', value: suspicion.company_name },
            { label: 'Possible match', value: suspicion.caption },
            { label: 'Listed as', value: suspicion.topics.map((topic) => TOPIC_LABELS[topic] ?? topic).join(', ') },
            { label: 'Lists', value: suspicion.datasets.join(', ') || 'Unknown' },
            { label: 'ID on the list', value: suspicion.listed_id },
            { label: 'Score', value: suspicion.score.toFixed(2) },
            { label: 'Found', value: <InstantText at={suspicion.found_at} /> },
          ]}
        />
        {decision === null || suspicion.decided_at === null ? (
          <DecisionForm suspicion={suspicion} />
        ) : (
          <Text measure>
            {suspicion.reason} ({suspicion.decided_by}, <InstantText at={suspicion.decided_at} />)
          </Text>
        )}
      </Stack>
    </SectionCard>
  );
}

function DecisionForm({ suspicion }: { suspicion: SuspicionOutput }) {
  const queryClient = useQueryClient();
  const [reason, setReason] = useState('');
  const missingId = useId();
  const decide = useMutation({
    mutationFn: (decision: SuspicionDecision) =>
      apiRequest(screeningApi.decide, { company_id: suspicion.company_id, suspicion_id: suspicion.suspicion_id, decision, reason }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [screeningApi.list.path] }),
  });
  const id = `reason-${suspicion.suspicion_id}`;
  const missing = reason.trim().length < 3 ? 'Enter a reason (at least a few words).' : undefined;
  const getButton = (decision: SuspicionDecision) => ({
    'aria-describedby': missingId,
    disabled: missing !== undefined || decide.isPending,
    isBusy: decide.isPending && decide.variables === decision,
    onClick: () => decide.mutate(decision),
  });
  return (
    <>
      <FieldFrame id={id} label="Reason" hint={HINT}>
        <TextArea
          id={id}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          rows={3}
          aria-describedby={getDescribedBy(id, HINT, undefined)}
          aria-required
        />
      </FieldFrame>
      {decide.error && (
        <Notice tone="error" title="The decision wasn’t saved" role="alert">
          {getErrorText(decide.error)}
        </Notice>
      )}
      <ButtonRow>
        <Button {...getButton('cleared')}>Not a match</Button>
        <Button variant="outlined" tone="error" {...getButton('confirmed')}>
          Confirm match
        </Button>
        <MissingLine id={missingId}>{missing}</MissingLine>
      </ButtonRow>
    </>
  );
}
