/** The advance's status in a sentence, with the next step. */
import type { AdvanceOutput } from '@portal/contract/advances.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import Typography from '@mui/material/Typography';
import { Notice, type NoticeTone } from '../../ui/notice.tsx';
import type { AdvancePartProps } from './advance-part.ts';
import { mustGiveHmrcAccount } from './must-give-hmrc-account.ts';
import { paidAfterText } from './paid-after-text.ts';
import { RequoteButton } from './requote-button.tsx';

type StatusDescription = { tone: NoticeTone; title: string; meaning: string; requote?: string };

export function AdvanceStatus({ advance, companyId }: AdvancePartProps) {
  const description = describeStatus(advance);
  return (
    <Notice tone={description.tone} title={description.title} role="status">
      <Typography sx={{ maxWidth: '68ch' }}>{description.meaning}</Typography>
      {description.requote === undefined ? null : (
        <RequoteButton companyId={companyId} obligationId={advance.obligation_id} label={description.requote} />
      )}
    </Notice>
  );
}

function describeStatus(advance: AdvanceOutput): StatusDescription {
  const net = formatPounds(advance.net_pence);
  const refund = formatPounds(advance.refund_pence);
  const waiting = advance.waiting_for;
  switch (advance.state) {
    case 'quoted':
      return advance.eligible
        ? {
            tone: 'success',
            title: `We can pay you ${net} within 24 hours`,
            meaning: 'You can withdraw free of charge until the money has left.',
          }
        : {
            tone: 'warning',
            title: 'We cannot offer this yet',
            meaning: `The rules marked “Not met” say what stands in the way and how to mend it. ${getRepaymentText(advance)}`,
            requote: 'Check again',
          };
    case 'accepted':
    case 'in_review':
      if (mustGiveHmrcAccount(advance)) {
        return {
          tone: 'warning',
          title: 'You accepted. One thing is left for you to do',
          meaning: `Tell HMRC to repay into the account below. We check the refund meanwhile, and pay you ${net} once HMRC has the account.`,
        };
      }
      return {
        tone: 'info',
        title: 'You accepted. We are checking the refund',
        meaning: waiting ?? 'A person looks at it. You need do nothing.',
      };
    case 'approved':
      return { tone: 'info', title: 'Your refund is approved', meaning: waiting ?? `We are getting your ${net} ready to be paid.` };
    case 'paying':
      return { tone: 'info', title: `${net} is being paid to you`, meaning: 'The bank has it. It usually arrives within minutes.' };
    case 'paid':
    case 'awaiting_hmrc':
      return {
        tone: 'success',
        title: `We paid you ${net}`,
        meaning: `${promiseText(advance)}Now we wait for HMRC to repay ${refund}${advance.repayment_expected_on ? `, expected by ${formatDate(advance.repayment_expected_on)}` : ''}. Leave the collection account at HMRC until then.`,
      };
    case 'repaid':
      return { tone: 'success', title: 'HMRC has repaid the refund', meaning: 'We are closing the books on it. You need do nothing.' };
    case 'settled':
      return {
        tone: 'success',
        title: 'Settled. There is nothing more to do',
        meaning: `${promiseText(advance)}You can now give HMRC your usual bank account again.`,
      };
    case 'declined':
      return {
        tone: 'warning',
        title: 'We cannot buy this refund',
        meaning: `${waiting ?? ''} HMRC repays you ${refund} as usual, and nothing was charged.`.trim(),
      };
    case 'expired':
      return {
        tone: 'warning',
        title: 'This offer has expired',
        meaning: 'It stood for 7 days. Ask for a new one; the price is computed again.',
        requote: 'Get a new offer',
      };
    case 'withdrawn':
      return {
        tone: 'info',
        title: 'You withdrew',
        meaning: `Nothing was charged, and HMRC repays you ${refund} as usual. If HMRC holds the collection account, give it your own bank account again.`,
        requote: 'Get a new offer',
      };
    case 'payout_failed':
      return {
        tone: 'error',
        title: `The payment of ${net} did not go through`,
        meaning: waiting ?? 'The money is safe with us. We look into it and pay you once only; check that your bank account is right.',
      };
    case 'shortfall':
      return {
        tone: 'error',
        title: 'HMRC repaid less than you claimed',
        meaning: `${shortfallText(advance)} We write to you before we collect anything.`,
      };
    case 'collecting':
      return {
        tone: 'error',
        title: 'We are collecting the difference',
        meaning: `${shortfallText(advance)} ${waiting ?? 'It is collected by Direct Debit from your bank account.'}`,
      };
    case 'written_off':
      return { tone: 'info', title: 'Closed', meaning: `${shortfallText(advance)} We have written it off; nothing is due from you.` };
  }
}

/** HMRC may withhold repayments while an earlier return is missing (VAT Act 1994, section 25(5)). */
function getRepaymentText({ rules }: AdvanceOutput): string {
  return rules.some(({ rule, outcome }) => rule === 'no_overdue_return' && outcome === 'fail')
    ? 'HMRC pays nothing either until every return is filed.'
    : 'HMRC repays you as usual meanwhile.';
}

function shortfallText({ received_pence: received, refund_pence: refund }: AdvanceOutput): string {
  return `${formatPounds(received)} of ${formatPounds(refund)} arrived, so ${formatPounds(pence(refund - received))} is missing.`;
}

function promiseText({ hours_to_payout: hours, working_days_ahead_of_hmrc: days }: AdvanceOutput): string {
  const paid = hours === null ? '' : `You had the money ${paidAfterText(hours)}. `;
  const ahead = days === null ? '' : `That is ${days} working ${days === 1 ? 'day' : 'days'} ahead of HMRC. `;
  return paid + ahead;
}
