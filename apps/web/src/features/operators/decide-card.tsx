/** Approves or declines an advance in review. A reason is required. */
import { operatorsApi } from '@portal/contract/operators.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import type { OperatorPartProps } from './operator-outputs.ts';
import { getReasonError, ReasonField } from './reason-field.tsx';
import { useOperatorAction } from './use-operator-action.ts';

type Decision = 'approve' | 'decline';

export function DecideCard({ data }: OperatorPartProps) {
  const { advance, company } = data;
  const [reason, setReason] = useState('');
  const [hasTried, setHasTried] = useState(false);
  const act = useOperatorAction(data, (decision: Decision) =>
    apiRequest(operatorsApi.decide, { company_id: company.company_id, advance_id: advance.advance_id, decision, reason }),
  );
  const isHeld = data.payout_hold !== null;
  const error = getReasonError(reason);
  const decide = (decision: Decision): void => {
    setHasTried(true);
    if (error === undefined) act.mutate(decision);
  };
  return (
    <SectionCard title="Decision">
      <Stack>
        <Text>
          {isHeld ? '' : `If you approve, other operators can release ${formatPounds(advance.net_pence)} to ${company.name}. `}If you
          decline, the advance ends and HMRC repays the trader as usual.
        </Text>
        <ReasonField id="decision-reason" value={reason} onChange={setReason} error={hasTried ? error : undefined} />
        {data.conflict_of_interest !== null && (
          <Notice tone="info" title="Someone else must decide">
            {data.conflict_of_interest}
          </Notice>
        )}
        {act.error && (
          <Notice tone="error" title="Decision not saved" role="alert">
            {errorText(act.error)}
          </Notice>
        )}
        <ButtonRow>
          {!isHeld && (
            <Button onClick={() => decide('approve')} isBusy={act.isPending && act.variables === 'approve'} disabled={act.isPending}>
              Approve {formatPounds(advance.net_pence)}
            </Button>
          )}
          <Button
            variant="outlined"
            tone="error"
            onClick={() => decide('decline')}
            isBusy={act.isPending && act.variables === 'decline'}
            disabled={act.isPending}
          >
            Decline
          </Button>
        </ButtonRow>
      </Stack>
    </SectionCard>
  );
}
