/** The agreement, with the button to accept it. Above the button, it lists what will happen, with the figures. */
import { advancesApi } from '@portal/contract/advances.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { sendWithIdempotencyKey } from '../../lib/idempotency-key.ts';
import { getPayoutAmount } from '../../components/advances/payout-amount.ts';
import { AgreementText } from '../../components/advances/agreement-text.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Checkbox } from '../../ui/choice.tsx';
import { InstantText } from '../../components/formats/date-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './accept-card.module.css';
import type { AdvancePartProps } from './advance-part.ts';
import { SubmitButton } from '../../ui/submit-button.tsx';

export function AcceptCard({ advance, companyId }: AdvancePartProps) {
  const queryClient = useQueryClient();
  const [isTicked, setIsTicked] = useState(false);
  const decision = `accept:${advance.advance_id}:${advance.version}`;
  const accept = useMutation({
    mutationFn: () =>
      sendWithIdempotencyKey(decision, (idempotencyKey) =>
        apiRequest(
          advancesApi.accept,
          { company_id: companyId, advance_id: advance.advance_id, version: advance.version, agreement_hash: advance.agreement.hash },
          { idempotencyKey },
        ),
      ),
    // The offer may have been voided or accepted elsewhere, so refetch its current state.
    onSettled: () => queryClient.invalidateQueries({ queryKey: [advancesApi.find.path] }),
  });
  return (
    <SectionCard title="Accept the offer">
      <Stack align="start">
        <div>
          <Text weight="medium">When you accept:</Text>
          <ol className={styles.steps}>
            <li>We open a collection account in your company’s name. You tell HMRC to pay your refund into it.</li>
            <li>
              {advance.netted_pence > 0 && `We’ll deduct ${formatPounds(advance.netted_pence)} that you still owe us. `}
              We’ll pay you {formatPounds(getPayoutAmount(advance))} by <InstantText at={advance.pay_by} />, once HMRC has that account.
            </li>
            <li>HMRC repays {formatPounds(advance.refund_pence)} into the collection account, and we keep it.</li>
            <li>If HMRC repays less, you owe us the difference. We’ll tell you the amount and the date before it’s due.</li>
          </ol>
        </div>
        <AgreementText text={advance.agreement.text} />
        <Checkbox
          label="I’ve read the agreement and am authorised to accept it"
          checked={isTicked}
          onChange={(event) => setIsTicked(event.target.checked)}
        />
        {accept.error && (
          <Notice
            tone="error"
            title={accept.error instanceof ApiError && accept.error.status === 0 ? 'The connection was lost' : 'The offer wasn’t accepted'}
            role="alert"
          >
            {getErrorText(accept.error)}
          </Notice>
        )}
        <ButtonRow>
          <SubmitButton
            missing={isTicked ? undefined : 'Confirm that you’ve read the agreement.'}
            isBusy={accept.isPending}
            onClick={() => accept.mutate()}
          >
            Accept {formatPounds(getPayoutAmount(advance))}
          </SubmitButton>
        </ButtonRow>
      </Stack>
    </SectionCard>
  );
}
