/** Approves or declines an advance in review. A reason is required. */
import { operatorsApi } from '@portal/contract/operators.ts';
import { formatPounds } from '@portal/domain/money.ts';
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

type Decision = 'approve' | 'decline';

export function DecideCard({ data }: OperatorPartProps) {
  const { advance, company } = data;
  const [reason, setReason] = useState('');
  const [asked, setAsked] = useState(false);
  const act = useOperatorAction(data, (decision: Decision) =>
    apiRequest(operatorsApi.decide, { company_id: company.company_id, advance_id: advance.advance_id, decision, reason }),
  );
  const isHeld = data.payout_hold !== null;
  const error = getReasonError(reason);
  const decide = (decision: Decision): void => {
    setAsked(true);
    if (error === undefined) act.mutate(decision);
  };
  return (
    <SectionCard title="Your decision">
      <Typography sx={{ mb: 2 }}>
        {isHeld ? '' : `Approving lets ${formatPounds(advance.net_pence)} be released to ${company.name}. `}Declining ends the advance; HMRC
        then repays the trader as usual.
      </Typography>
      <ReasonField id="decision-reason" value={reason} onChange={setReason} error={asked ? error : undefined} />
      {act.error ? (
        <Box sx={{ mb: 2 }}>
          <Notice tone="error" title="Not decided" role="alert">
            {errorText(act.error)}
          </Notice>
        </Box>
      ) : null}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5 }}>
        {isHeld ? null : (
          <Button onClick={() => decide('approve')} loading={act.isPending && act.variables === 'approve'} disabled={act.isPending}>
            Approve {formatPounds(advance.net_pence)}
          </Button>
        )}
        <Button
          variant="outlined"
          color="error"
          onClick={() => decide('decline')}
          loading={act.isPending && act.variables === 'decline'}
          disabled={act.isPending}
        >
          Decline
        </Button>
      </Box>
    </SectionCard>
  );
}
