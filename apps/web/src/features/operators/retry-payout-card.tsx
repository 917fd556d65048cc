/** After a payout that definitely failed: returns the advance to approved, so that operators can release it again. */
import { operatorsApi } from '@portal/contract/operators.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import type { OperatorPartProps } from './operator-outputs.ts';
import { getReasonError, ReasonField } from './reason-field.tsx';
import { useOperatorAction } from './use-operator-action.ts';

export function RetryPayoutCard({ data }: OperatorPartProps) {
  const { advance, company, payout } = data;
  const [reason, setReason] = useState('');
  const [asked, setAsked] = useState(false);
  const act = useOperatorAction(data, (why: string) =>
    apiRequest(operatorsApi.retryPayout, { company_id: company.company_id, advance_id: advance.advance_id, reason: why }),
  );
  const error = getReasonError(reason);
  return (
    <SectionCard title="The payout failed">
      <Typography sx={{ mb: 2 }}>
        {payout?.failure ? `The payments provider says: ${payout.failure}. ` : ''}Make sure that the money came back, and that the bank
        account is right. Then send the advance back to be released again; nothing is paid by that alone.
      </Typography>
      <ReasonField id="retry-reason" value={reason} onChange={setReason} error={asked ? error : undefined} />
      {act.error ? (
        <Box sx={{ mb: 2 }}>
          <Notice tone="error" title="Not sent back" role="alert">
            {errorText(act.error)}
          </Notice>
        </Box>
      ) : null}
      <Button
        loading={act.isPending}
        onClick={() => {
          setAsked(true);
          if (error === undefined) act.mutate(reason);
        }}
      >
        Send back for a new release
      </Button>
    </SectionCard>
  );
}
