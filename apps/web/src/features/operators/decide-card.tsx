/** Approves an advance in review, or declines one that hasn’t been paid. A reason is required. */
import { operatorsApi } from '@portal/contract/operators.ts';
import { listReviewFindings } from '@portal/domain/advances/review-findings.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { useId, useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import type { OperatorPartProps } from './operator-outputs.ts';
import { getReasonError, ReasonField } from './reason-field.tsx';
import { useOperatorAction } from './use-operator-action.ts';
import { MissingLine } from '../../ui/missing-line.tsx';

type Decision = 'approve' | 'decline';

export function DecideCard({ data }: OperatorPartProps) {
  const { advance, company } = data;
  const [reason, setReason] = useState('');
  const missingId = useId();
  const actionMutation = useOperatorAction(data, (decision: Decision) =>
    apiRequest(operatorsApi.decide, {
      company_id: company.company_id,
      advance_id: advance.advance_id,
      decision,
      reason,
      seen_findings: listReviewFindings(advance.rules),
    }),
  );
  const isInReview = advance.state === 'in_review';
  const error = getReasonError(reason);
  const getButton = (decision: Decision) => ({
    'aria-describedby': missingId,
    disabled: error !== undefined || actionMutation.isPending,
    isBusy: actionMutation.isPending && actionMutation.variables === decision,
    onClick: () => actionMutation.mutate(decision),
  });
  return (
    <SectionCard title={isInReview ? 'Decision' : 'Decline instead'}>
      <Stack>
        <Text>
          {isInReview ? `If you approve it, other operators can release ${formatPounds(advance.net_pence)} to ${company.name}. ` : ''}If you
          decline, the advance ends
          {advance.has_hmrc_money
            ? '. What HMRC has already paid stays with us until it’s matched.'
            : ' and HMRC repays the trader as usual.'}
        </Text>
        {isInReview && (
          <Text size="small" tone="quiet">
            Before you ask {company.name} for evidence, write a note here or assign the refund in the work queue. Until then, it’s approved
            automatically as soon as it passes every rule.
          </Text>
        )}
        <ReasonField id="decision-reason" value={reason} onChange={setReason} />
        {data.conflict_of_interest !== null && (
          <Notice tone="info" title="Someone else must decide">
            {data.conflict_of_interest}
          </Notice>
        )}
        {actionMutation.error && (
          <Notice tone="error" title="Decision not saved" role="alert">
            {getErrorText(actionMutation.error)}
          </Notice>
        )}
        <ButtonRow>
          {isInReview && <Button {...getButton('approve')}>Approve {formatPounds(advance.net_pence)}</Button>}
          <Button variant="outlined" tone="error" {...getButton('decline')}>
            Decline
          </Button>
          <MissingLine id={missingId}>{error}</MissingLine>
        </ButtonRow>
      </Stack>
    </SectionCard>
  );
}
