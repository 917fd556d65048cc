/** The Direct Debit that the payout needs, shown until it has been submitted to the trader’s bank. */
import { isSubmittedMandate, isUsableMandate } from '@portal/domain/shortfalls/direct-debit.ts';
import { Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import type { AdvancePartProps } from './advance-part.ts';
import { OtherAccountNotice } from './other-account-notice.tsx';
import { SetUpDirectDebitButton } from './set-up-direct-debit-button.tsx';

const STATES_BEFORE_PAYOUT: ReadonlySet<AdvancePartProps['advance']['state']> = new Set([
  'accepted',
  'in_review',
  'approved',
  'payout_failed',
]);

export function MandateCard({ advance, companyId }: AdvancePartProps) {
  if (advance.mandate === null || !STATES_BEFORE_PAYOUT.has(advance.state)) return null;
  const { status, other_account_ending: otherEnding } = advance.mandate;
  if (status !== null && isSubmittedMandate(status)) return null;
  const isOnItsWay = status !== null && isUsableMandate(status);
  return (
    <SectionCard
      title="Set up a Direct Debit"
      aside={
        isOnItsWay ? <StateChip label="In progress" icon="clock" tone="info" /> : <StateChip label="To do" icon="warning" tone="warning" />
      }
    >
      <Stack align="start">
        <Text measure>
          For this refund, we need a Direct Debit before we pay you. We’ll use it only if HMRC repays less than the refund, and we’ll email
          you the amount and date before we do.
        </Text>
        <OtherAccountNotice ending={otherEnding} />
        {isOnItsWay ? (
          <Text>You’ve set it up. Your bank usually has it by the next working day.</Text>
        ) : (
          <SetUpDirectDebitButton companyId={companyId} obligationId={advance.obligation_id} />
        )}
      </Stack>
    </SectionCard>
  );
}
