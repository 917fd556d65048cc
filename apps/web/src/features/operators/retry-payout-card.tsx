/** Returns an advance to approved after a payout that definitely failed, so that operators can release it again. */
import { operatorsApi } from '@portal/contract/operators.ts';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import type { OperatorPartProps } from './operator-outputs.ts';
import { getReasonError, ReasonField } from './reason-field.tsx';
import { useOperatorAction } from './use-operator-action.ts';
import { SubmitButton } from '../../ui/submit-button.tsx';

export function RetryPayoutCard({ data }: OperatorPartProps) {
  const { advance, company, payout } = data;
  const [reason, setReason] = useState('');
  const actionMutation = useOperatorAction(data, (reason: string) =>
    apiRequest(operatorsApi.retryPayout, { company_id: company.company_id, advance_id: advance.advance_id, reason }),
  );
  return (
    <SectionCard title="Payout failed">
      <Stack>
        <Text>
          {payout?.failure ? `Reason: ${payout.failure}. ` : ''}Check that the money has been returned and that the bank account is right.
          Then return the advance for release. This doesn’t make a payment.
        </Text>
        <ReasonField id="retry-reason" value={reason} onChange={setReason} />
        {actionMutation.error && (
          <Notice tone="error" title="The advance wasn’t returned for release" role="alert">
            {getErrorText(actionMutation.error)}
          </Notice>
        )}
        <ButtonRow>
          <SubmitButton missing={getReasonError(reason)} isBusy={actionMutation.isPending} onClick={() => actionMutation.mutate(reason)}>
            Return for release
          </SubmitButton>
        </ButtonRow>
      </Stack>
    </SectionCard>
  );
}
