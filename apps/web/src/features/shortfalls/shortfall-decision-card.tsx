/** The decisions that an operator can make on a case in its current state. Each needs a reason, and shows its figures first. */
import { shortfallsApi } from '@portal/contract/shortfalls.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { useId, useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { sendWithIdempotencyKey } from '../../lib/idempotency-key.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { FieldFrame, getDescribedBy } from '../../ui/form-field.tsx';
import { TextArea } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import type { OperatorShortfallProps } from './operator-shortfall-props.ts';
import { useShortfallAction } from './use-shortfall-action.ts';
import { MissingLine } from '../../ui/missing-line.tsx';

type ShortfallDecision = 'claim' | 'close' | 'answer' | 'write_off';
const getHint = (status: OperatorShortfallProps['data']['shortfall']['status']): string =>
  status === 'disputed' ? 'Saved in the history with your name. A reply is emailed to the trader.' : 'Saved in the history with your name.';

export function ShortfallDecisionCard({ data }: OperatorShortfallProps) {
  const { shortfall } = data;
  const [answerText, setText] = useState('');
  const hint = getHint(shortfall.status);
  const missingId = useId();
  const missingAmount = pence(shortfall.refund_pence - shortfall.received_pence);
  const actionMutation = useShortfallAction(data, (decision: ShortfallDecision) => sendDecision(data, decision, answerText));
  const decisions = listDecisions(data);
  if (data.shortfall.status === 'written_off') return <WrittenOffCard />;
  if (decisions.length === 0) return data.write_off_requested ? <RequestedCard /> : null;
  const missingText =
    answerText.trim().length < 3
      ? `Enter ${shortfall.status === 'disputed' ? 'a reply or reason' : 'a reason'} (at least a few words).`
      : undefined;
  return (
    <SectionCard title="Decision">
      <Stack>
        <Text measure>{describeEffect(data, missingAmount)}</Text>
        {data.write_off_requested && <RequestedText />}
        <FieldFrame id="shortfall-reason" label={shortfall.status === 'disputed' ? 'Your reply or reason' : 'Reason'} hint={hint}>
          <TextArea
            id="shortfall-reason"
            value={answerText}
            onChange={(event) => setText(event.target.value)}
            rows={3}
            aria-describedby={getDescribedBy('shortfall-reason', hint, undefined)}
            aria-required
          />
        </FieldFrame>
        {actionMutation.error && (
          <Notice tone="error" title="Decision not saved" role="alert">
            {getErrorText(actionMutation.error)}
          </Notice>
        )}
        <ButtonRow>
          {decisions.map(({ decision, label, tone }) => (
            <Button
              key={decision}
              variant={tone === undefined ? 'filled' : 'outlined'}
              {...(tone === 'error' ? { tone } : {})}
              aria-describedby={missingId}
              onClick={() => actionMutation.mutate(decision, { onSuccess: () => setText('') })}
              isBusy={actionMutation.isPending && actionMutation.variables === decision}
              disabled={missingText !== undefined || actionMutation.isPending}
            >
              {label}
            </Button>
          ))}
          <MissingLine id={missingId}>{missingText}</MissingLine>
        </ButtonRow>
      </Stack>
    </SectionCard>
  );
}

function RequestedCard() {
  return (
    <SectionCard title="Decision">
      <RequestedText />
    </SectionCard>
  );
}

function WrittenOffCard() {
  return (
    <SectionCard title="If a payment arrives">
      <Text measure>
        Match the payment to this refund in <TextLink to={getPageLink('adminReconciliation')}>Reconciliation</TextLink>. Once two people
        have approved it, the write-off is reversed up to the amount of the payment, and the trader gets a letter.
      </Text>
    </SectionCard>
  );
}

function RequestedText() {
  return (
    <Text measure>
      Someone else must approve or reject the write-off, in <TextLink to={getPageLink('adminReconciliation')}>Reconciliation</TextLink>.
    </Text>
  );
}

type Choice = { readonly decision: ShortfallDecision; readonly label: string; readonly tone?: 'error' | 'quiet' };

function listDecisions({ shortfall, write_off_requested: isRequested }: OperatorShortfallProps['data']): Choice[] {
  const missingAmount = formatPounds(pence(shortfall.refund_pence - shortfall.received_pence));
  const writeOff: Choice[] = isRequested ? [] : [{ decision: 'write_off', label: 'Request write-off', tone: 'error' }];
  if (shortfall.status === 'watching') {
    return [
      { decision: 'claim', label: `Claim ${missingAmount}` },
      { decision: 'close', label: 'Close for now', tone: 'quiet' },
    ];
  }
  if (shortfall.status === 'disputed') return [{ decision: 'answer', label: 'Send reply' }, ...writeOff];
  return shortfall.status === 'due' ? writeOff : [];
}

function describeEffect({ shortfall, write_off_requested: isRequested }: OperatorShortfallProps['data'], missingAmount: number): string {
  const owedText = formatPounds(shortfall.owed_pence);
  if (shortfall.status === 'watching') {
    return `Claim only if no more is coming from HMRC: the trader will then owe ${formatPounds(pence(missingAmount))} and be given notice. If you close the case, it reopens when HMRC’s figures change.`;
  }
  if (shortfall.status === 'disputed')
    return `Once you reply, ${owedText} becomes due again, with a new notice period.${isRequested ? '' : ' If the trader is right, request a write-off.'}`;
  return `A second person must approve a write-off of ${owedText}. The advance then ends and the trader gets a letter saying nothing is due.`;
}

function sendDecision(
  { company, shortfall }: OperatorShortfallProps['data'],
  decision: ShortfallDecision,
  reason: string,
): Promise<object> {
  const key = { company_id: company.company_id, shortfall_id: shortfall.shortfall_id };
  switch (decision) {
    case 'claim': {
      const amount_pence = pence(shortfall.refund_pence - shortfall.received_pence);
      return sendWithIdempotencyKey(`claim:${shortfall.shortfall_id}:${amount_pence}`, (idempotencyKey) =>
        apiRequest(shortfallsApi.claim, { ...key, amount_pence, reason }, { idempotencyKey }),
      );
    }
    case 'close':
      return apiRequest(shortfallsApi.close, { ...key, reason });
    case 'answer':
      return apiRequest(shortfallsApi.answerDispute, { ...key, answer: reason });
    case 'write_off':
      return apiRequest(shortfallsApi.requestWriteOff, { ...key, reason });
  }
}
