import type { PlainDate } from '../../plain-date.ts';
import { chainKnown, known } from '../known.ts';
import type { Known } from '../known.ts';
import { addWorkingDays, lastWorkingDayOnOrBefore } from './working-days.ts';

/** By when money must be sent, by each way of paying, to be at HMRC on the due date. The due date itself never moves (CH141120). */
export type PaymentDays = {
  readonly due: PlainDate;
  /** Faster Payments arrive on any day, weekends and bank holidays included (VATAC1300). */
  readonly faster_payment_by: PlainDate;
  /** CHAPS moves on working days only: the due date or the last one before. */
  readonly chaps_by: Known<PlainDate>;
  /** Bacs, giro and, by HMRC's older text, cards must have cleared by then. */
  readonly bacs_cleared_by: Known<PlainDate>;
  /** A Bacs payment clears on the second working day after it is sent. */
  readonly bacs_send_by: Known<PlainDate>;
  /** The last day to pay by card: the due date where HMRC counts the day of payment, else as for Bacs. */
  readonly card_by: Known<PlainDate>;
};

/** How HMRC counts a card payment: on the day it is made (GOV.UK "Pay your Self Assessment tax bill") or once it clears, like Bacs (VAT-calc, older). */
export type CardRule = 'on_the_day' | 'when_cleared';

/** The days by which to pay a tax that is due on a date. Authority: VATAC1300; alphagov/smart-answers vat_payment_deadlines; GOV.UK "Pay your VAT bill". */
export function paymentDays(due: PlainDate, card: CardRule = 'when_cleared'): PaymentDays {
  const lastWorkingDay = lastWorkingDayOnOrBefore(due);
  const bacsSendBy = chainKnown(lastWorkingDay, (day) => addWorkingDays(day, -2));
  return {
    due,
    faster_payment_by: due,
    chaps_by: lastWorkingDay,
    bacs_cleared_by: lastWorkingDay,
    bacs_send_by: bacsSendBy,
    card_by: card === 'on_the_day' ? known(due) : bacsSendBy,
  };
}
