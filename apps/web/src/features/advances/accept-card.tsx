/** The agreement and the button that accepts it. Above the button, it lists what will happen, with the figures. */
import { advancesApi } from '@portal/contract/advances.ts';
import { formatPounds } from '@portal/domain/money.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Typography from '@mui/material/Typography';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, apiRequest } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { withIdempotencyKey } from '../../lib/idempotency-key.ts';
import { AgreementText } from '../../ui/agreement-text.tsx';
import { InstantText } from '../../ui/date-text.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import type { AdvancePartProps } from './advance-part.ts';

export function AcceptCard({ advance, companyId }: AdvancePartProps) {
  const queries = useQueryClient();
  const [ticked, setTicked] = useState(false);
  const [asked, setAsked] = useState(false);
  const decision = `accept:${advance.advance_id}:${advance.version}`;
  const accept = useMutation({
    mutationFn: () =>
      withIdempotencyKey(decision, (idempotencyKey) =>
        apiRequest(
          advancesApi.accept,
          { company_id: companyId, advance_id: advance.advance_id, version: advance.version, agreement_hash: advance.agreement.hash },
          { idempotencyKey },
        ),
      ),
    // The offer may have been voided or accepted elsewhere, so read its current state.
    onSettled: () => queries.invalidateQueries({ queryKey: [advancesApi.find.path] }),
  });
  const isMissing = asked && !ticked;
  return (
    <SectionCard title="Accept the offer">
      <Typography sx={{ fontWeight: 500 }}>When you accept:</Typography>
      <Box component="ol" sx={{ mt: 0.5, mb: 2, pl: 3, listStyle: 'decimal', '& li': { mb: 0.5 } }}>
        <li>We open a collection account in your company’s name. You tell HMRC to repay into it.</li>
        <li>
          We pay you {formatPounds(advance.net_pence)} by <InstantText at={advance.pay_by} />, once HMRC holds that account.
        </li>
        <li>HMRC repays {formatPounds(advance.refund_pence)} into the collection account, and it is ours.</li>
        <li>If HMRC repays less, you owe us the difference.</li>
      </Box>
      <AgreementText text={advance.agreement.text} />
      <FormControlLabel
        sx={{ mt: 1, ml: -1.25 }}
        control={
          <Checkbox
            checked={ticked}
            onChange={(event) => setTicked(event.target.checked)}
            slotProps={{ input: { 'aria-invalid': isMissing, 'aria-describedby': isMissing ? 'agreement-error' : undefined } }}
          />
        }
        label="I have read the agreement and I may accept it for the company"
      />
      {isMissing ? (
        <Typography id="agreement-error" role="alert" sx={{ color: 'error.tone', fontWeight: 500 }}>
          Tick that you have read the agreement
        </Typography>
      ) : null}
      {accept.error ? (
        <Box sx={{ mt: 1 }}>
          <Notice
            tone="error"
            title={accept.error instanceof ApiError && accept.error.status === 0 ? 'The connection was lost' : 'Not accepted'}
            role="alert"
          >
            {errorText(accept.error)}
          </Notice>
        </Box>
      ) : null}
      <Button
        sx={{ mt: 2, display: 'flex' }}
        loading={accept.isPending}
        onClick={() => {
          setAsked(true);
          if (ticked) accept.mutate();
        }}
      >
        Accept {formatPounds(advance.net_pence)}
      </Button>
    </SectionCard>
  );
}
