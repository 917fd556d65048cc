/** The advance's status in one sentence, with the next step. */
import type { AdvanceOutput } from '@portal/contract/advances.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { HMRC_MONEY_TEXT } from '@portal/domain/advances/advance-timeline.ts';
import { IDENTITY_RULE, isIdentityVerified } from '@portal/domain/advances/identity-rule.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { getPayoutAmount } from '../../components/advances/payout-amount.ts';
import { NeedsRight } from '../../components/companies/needs-right.tsx';
import { useChangedTo } from '../../lib/use-changed-to.ts';
import type { NoticeTone } from '../../ui/notice.tsx';
import { Button } from '../../ui/button.tsx';
import { ResultPanel } from '../../ui/result-panel.tsx';
import { Text } from '../../ui/text.tsx';
import type { AdvancePartProps } from './advance-part.ts';
import { ConfirmFactsButton } from './confirm-facts-button.tsx';
import { listOtherSteps, needsHmrcAccount } from './must-give-hmrc-account.ts';
import { describePaidAfter } from './paid-after-text.ts';
import { RequoteButton } from './requote-button.tsx';

const CHANGE_ACCOUNT_BACK = 'If you gave HMRC the collection account, change it back to your own bank account.';

type StatusDescription = {
  tone: NoticeTone;
  title: string;
  meaning: string;
  requote?: string;
  step?: 'verify_identity' | 'confirm_facts' | 'ask';
};

/** States that result from the user’s own click. */
const RESULT_STATES: readonly AdvanceOutput['state'][] = ['accepted', 'in_review', 'withdrawn'];

export function AdvanceStatus({ advance, companyId }: AdvancePartProps) {
  const description = describeStatus(advance);
  // To the user, accepted and in review look the same, so moving from one to the other doesn’t count as new.
  const isNew = useChangedTo(advance.state === 'in_review' ? 'accepted' : advance.state, RESULT_STATES);
  return (
    <ResultPanel tone={description.tone} title={description.title} isNew={isNew}>
      <Text measure role="status">
        {description.meaning}
      </Text>
      {description.step === 'verify_identity' && (
        // The trader must first give HMRC the collection account, so that button is the primary one.
        <Button to={PAGES.verifyIdentity.path} variant={needsHmrcAccount(advance) ? 'outlined' : 'filled'}>
          Verify your identity
        </Button>
      )}
      {description.step === 'ask' && (
        <Button to={PAGES.contact.path} variant="outlined">
          Ask about this decision
        </Button>
      )}
      <NeedsRight companyId={companyId} access="company.accept_advance">
        {description.step === 'confirm_facts' && <ConfirmFactsButton advance={advance} companyId={companyId} />}
        {description.requote !== undefined && (
          <RequoteButton companyId={companyId} obligationId={advance.obligation_id} label={description.requote} />
        )}
      </NeedsRight>
    </ResultPanel>
  );
}

function describeStatus(advance: AdvanceOutput): StatusDescription {
  const net = formatPounds(getPayoutAmount(advance));
  const refund = formatPounds(advance.refund_pence);
  const waitingFor = advance.waiting_for;
  switch (advance.state) {
    case 'quoted':
      return advance.eligible
        ? {
            tone: 'success',
            title: `We can pay you ${net} early`,
            meaning: `${describeStepsToPayout(advance)} You can withdraw free of charge until we’ve sent the money.`,
          }
        : {
            tone: 'warning',
            title: 'We can’t make you an offer yet',
            meaning: `The conditions marked “Not met” show what’s missing and how to fix it. ${getRepaymentText(advance)}`,
            requote: 'Check again',
          };
    case 'accepted':
    case 'in_review':
      if (needsHmrcAccount(advance)) {
        return describeOpenSteps(advance, net);
      }
      if (advance.identity_needed) return describeIdentityStep('Offer accepted. Verify your identity next', waitingFor);
      return {
        tone: 'info',
        title: 'Offer accepted. We’re checking the refund',
        meaning: waitingFor ?? 'Our team is reviewing it. You don’t need to do anything.',
      };
    case 'approved':
      if (needsHmrcAccount(advance)) return { tone: 'warning', title: 'Approved. One more thing to do', meaning: waitingFor ?? '' };
      if (advance.identity_needed) return describeIdentityStep('Approved. Verify your identity next', waitingFor);
      if (advance.facts.is_stale)
        return { tone: 'warning', title: 'Confirm again to get your payment', meaning: waitingFor ?? '', step: 'confirm_facts' };
      return { tone: 'info', title: 'Your refund is approved', meaning: waitingFor ?? `We’re getting your payment of ${net} ready.` };
    case 'paying':
      return { tone: 'info', title: `We’re paying you ${net}`, meaning: 'The bank is sending it. It usually arrives within minutes.' };
    case 'paid':
    case 'awaiting_hmrc':
      if (advance.repayment_late) return describeLateRepayment(advance, net);
      return {
        tone: 'success',
        title: `We paid you ${net}`,
        meaning: `${describePromise(advance)}We’re now waiting for HMRC to repay ${refund}${advance.repayment_expected_on ? `. HMRC usually does this by ${formatDate(advance.repayment_expected_on)}` : ''}. Don’t change the collection account at HMRC until it has repaid.`,
      };
    case 'repaid':
      return {
        tone: 'success',
        title: 'HMRC has repaid the refund',
        meaning: 'We’re completing the final steps. You don’t need to do anything.',
      };
    case 'settled':
      return {
        tone: 'success',
        title: 'Settled. You’re all done',
        meaning: `${describePromise(advance)}You can now change HMRC’s repayment account back to your usual one.`,
      };
    case 'declined':
      return {
        tone: 'warning',
        title: 'We can’t buy this refund',
        meaning:
          `${waitingFor ?? ''} We’ve checked it and decided not to pay it early. ${describeUnboughtRefund(advance)} ${CHANGE_ACCOUNT_BACK}`.trim(),
        step: 'ask',
      };
    case 'expired':
      return {
        tone: 'warning',
        title: 'This offer has expired',
        meaning: 'Offers last 7 days. Get a new one and we’ll recalculate the price.',
        requote: 'Get a new offer',
      };
    case 'withdrawn':
      return {
        tone: 'info',
        title: 'You’ve withdrawn',
        meaning: `${describeUnboughtRefund(advance)} ${CHANGE_ACCOUNT_BACK}`,
        requote: 'Get a new offer',
      };
    case 'payout_failed':
      return {
        tone: 'error',
        title: `Your payment of ${net} didn’t go through`,
        meaning:
          waitingFor ??
          'The money is safe with us. We’re looking into it and will pay you only once. Check that your bank details are correct.',
      };
    case 'shortfall':
      return {
        tone: 'error',
        title: 'HMRC repaid less than you claimed',
        meaning: `${describeShortfall(advance)} We’ve emailed you the amount and the date it’s due.`,
      };
    case 'collecting':
      return {
        tone: 'error',
        title: 'Part of the refund is still due',
        meaning: 'HMRC repaid less than the refund. Below, you can see what’s still missing and what happens next.',
      };
    case 'written_off':
      return { tone: 'info', title: 'Closed', meaning: `${describeShortfall(advance)} We’ve written it off. You don’t owe us anything.` };
  }
}

/** The 24 hours of the promise can't start before the trader has done their part. */
function describeStepsToPayout({ rules }: AdvanceOutput): string {
  const identityStep = isIdentityVerified(rules) ? ' and' : ', verify your identity and';
  return `Accept${identityStep} tell HMRC to repay into our collection account. We usually pay within 24 hours of our checks.`;
}

function describeLateRepayment({ repayment_expected_on: expectedOn, refund_pence: refund }: AdvanceOutput, net: string): StatusDescription {
  const by = expectedOn === null ? 'by now' : `by ${formatDate(expectedOn)}`;
  return {
    tone: 'warning',
    title: 'HMRC is late with your refund',
    meaning: `HMRC should have repaid ${formatPounds(refund)} ${by}. You keep the ${net} we paid you. Don’t change the collection account at HMRC until it has repaid.`,
  };
}

/** After acceptance: giving HMRC the collection account, and anything else that the payout needs. */
function describeOpenSteps(advance: AdvanceOutput, net: string): StatusDescription {
  const remainingSteps = listOtherSteps(advance);
  const count = ['One more thing', 'Two more things', 'Three more things'][remainingSteps.length] ?? '';
  const otherSteps = remainingSteps.length === 0 ? '' : `, then ${remainingSteps.join(' and ')}`;
  return {
    tone: 'warning',
    title: `Offer accepted. ${count} to do`,
    meaning: `Tell HMRC to repay into the account below${otherSteps}. We’re checking the refund, and will pay you ${net} once ${remainingSteps.length === 0 ? 'HMRC has the account' : 'that’s done'}.`,
    ...(advance.identity_needed ? { step: 'verify_identity' } : {}),
  };
}

function describeIdentityStep(title: string, waitingText: string | null): StatusDescription {
  const meaning =
    waitingText === null || waitingText.includes(IDENTITY_RULE) ? (waitingText ?? IDENTITY_RULE) : `${IDENTITY_RULE} ${waitingText}`;
  return { tone: 'warning', title, meaning, step: 'verify_identity' };
}

/** HMRC may withhold repayments while an earlier return is missing (VAT Act 1994, section 25(5)). */
function getRepaymentText({ rules }: AdvanceOutput): string {
  return rules.some(({ rule, outcome }) => rule === 'no_overdue_return' && outcome === 'fail')
    ? 'HMRC won’t pay your refund either until you’ve filed every return.'
    : 'HMRC will repay you as usual.';
}

function describeUnboughtRefund({ has_hmrc_money: hasMoney, refund_pence: refund }: AdvanceOutput): string {
  return hasMoney
    ? `We haven’t charged you anything. ${HMRC_MONEY_TEXT}`
    : `We haven’t charged you anything, and HMRC will repay you ${formatPounds(refund)} as usual.`;
}

function describeShortfall({ received_pence: receivedAmount, refund_pence: refund }: AdvanceOutput): string {
  return `${formatPounds(receivedAmount)} of ${formatPounds(refund)} arrived, so there’s a shortfall of ${formatPounds(pence(refund - receivedAmount))}.`;
}

function describePromise({ hours_to_payout: hours, working_days_ahead_of_hmrc: days }: AdvanceOutput): string {
  const paidSentence = hours === null ? '' : `You were paid ${describePaidAfter(hours)}. `;
  const aheadSentence = days === null ? '' : `That’s ${days} working ${days === 1 ? 'day' : 'days'} ahead of HMRC. `;
  return paidSentence + aheadSentence;
}
