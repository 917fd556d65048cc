/**
 * The agreement's text as data. A published version never changes, because accepted advances refer to it: add a new one at the end. Each
 * paragraph's `{names}` are filled in by agreement-text.ts.
 */

export type AgreementVersion = {
  readonly version: number;
  /** A summary of the changes in this version, for operators and auditors. */
  readonly change: string;
  readonly paragraphs: readonly string[];
};

/** The first version that lets us deduct overpayments, as well as differences, from a payout. */
export const OVERPAYMENTS_NETTED_FROM = 3;

const TITLE = 'Agreement for the purchase of a VAT refund';
const WHAT_IS_SOLD =
  '1. What is sold. {company} (VAT number {vrn}, “you”) sells to {brand} (“we”) the right to the VAT repayment that HM Revenue & Customs owes for the period {period}: {refund}{basis}. This is a sale, not a loan.';
const IF_HMRC_PAYS_LESS =
  '4. If HMRC pays less, or nothing. If HMRC reduces the refund, sets it off against another debt or refuses it, you pay us the difference. If HMRC only takes longer, you owe us nothing. We email you the amount and the date it is due, at least {noticeDays} days before. You pay it by bank transfer to the collection account, with the reference we give you{directDebit}. We charge no interest and no fee.';
const IF_YOU_CANT_PAY =
  '5. If you can’t pay at once, or disagree. You can pay the difference in up to {maxInstalments} monthly instalments without interest. If you tell us that you disagree, we stop collecting until we have answered you. We can take an unpaid difference off the payment for your next refund.';
const WHAT_WE_PAY =
  '2. What we pay. We pay {net}: the refund of {refund} less our fee of {fee} ({rate}% of the refund, at least £5). We pay it within {hours} hours of your acceptance to the bank account you gave us, once HMRC holds the collection account described in clause 3';
const HOW_IT_COMES_BACK =
  '3. How the money comes back. HMRC repays only to an account in your own name. We open a collection account in your name with our payments provider and you give us a mandate over it. You ask HMRC, in HMRC’s own service, to make repayments to that account, and you don’t change this until this refund has arrived.';
const YOU_CONFIRM =
  'You confirm that the return{filedElsewhere} is true and complete, {notRepaid}that you have not sold this refund to anyone else, and that you have disclosed to us every debt to HMRC that you know of.';
const IF_HMRC_PAYS_MORE =
  'If HMRC pays more. Any repayment interest, and any other amount above the refund that reaches the collection account, is yours. We pass it on to you.';
const CHANGING_YOUR_MIND = 'Changing your mind. You can withdraw free of charge at any time before we have paid.';

export const AGREEMENT_VERSIONS: readonly AgreementVersion[] = [
  {
    version: 1,
    change: 'First version.',
    paragraphs: [
      TITLE,
      WHAT_IS_SOLD,
      `${WHAT_WE_PAY}.`,
      HOW_IT_COMES_BACK,
      '4. If HMRC pays less, or nothing. If HMRC reduces the refund, sets it off against another debt, suspends it or refuses it, you pay us the difference. We collect it by Direct Debit, after letting you know the amount and the date.',
      `5. ${IF_HMRC_PAYS_MORE}`,
      `6. What you confirm. ${YOU_CONFIRM}`,
      `7. ${CHANGING_YOUR_MIND}`,
    ],
  },
  {
    version: 2,
    change: 'Says how a difference is paid: notice, bank transfer, Direct Debit if you set one up, instalments, disputes and netting.',
    paragraphs: [
      TITLE,
      WHAT_IS_SOLD,
      `${WHAT_WE_PAY}{mandateCondition}. If a difference from an earlier refund is still unpaid then, we take it off this payment (clause 5).`,
      HOW_IT_COMES_BACK,
      IF_HMRC_PAYS_LESS,
      `${IF_YOU_CANT_PAY} You see it on that refund’s page, and we tell you when we do it.`,
      `6. ${IF_HMRC_PAYS_MORE}`,
      `7. What you confirm. ${YOU_CONFIRM}`,
      `8. ${CHANGING_YOUR_MIND}`,
    ],
  },
  {
    version: OVERPAYMENTS_NETTED_FROM,
    change: 'Says that we can also take an overpayment of ours off the payment for the next refund.',
    paragraphs: [
      TITLE,
      WHAT_IS_SOLD,
      `${WHAT_WE_PAY}{mandateCondition}. If a difference from an earlier refund, or an amount that we paid you by mistake, is still unpaid then, we take it off this payment (clause 5).`,
      HOW_IT_COMES_BACK,
      IF_HMRC_PAYS_LESS,
      `${IF_YOU_CANT_PAY} The same applies to an amount that we paid you by mistake, or that was taken back from us after we had paid it to you. You see it on that refund’s page, and we tell you when we do it.`,
      `6. ${IF_HMRC_PAYS_MORE}`,
      `7. What you confirm. ${YOU_CONFIRM}`,
      `8. ${CHANGING_YOUR_MIND}`,
    ],
  },
];
