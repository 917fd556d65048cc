import type { PlainDate } from '../../plain-date.ts';
import { chainKnown, known } from '../known.ts';
import type { Known } from '../known.ts';
import { addWorkingDays, getLastWorkingDayOnOrBefore } from './working-days.ts';

/** The last date to send a payment by each method so that it reaches HMRC by the due date, which itself never moves (CH141120). */
export type PaymentDays = {
  readonly due: PlainDate;
  /** Faster Payments arrive on any day, including weekends and bank holidays (VATAC1300). */
  readonly faster_payment_by: PlainDate;
  /** CHAPS runs on working days only: the due date or the last working day before it. */
  readonly chaps_by: Known<PlainDate>;
  /** Date by which Bacs, giro and (according to HMRC's older guidance) card payments must clear. */
  readonly bacs_cleared_by: Known<PlainDate>;
  /** A Bacs payment clears on the second working day after it is sent. */
  readonly bacs_send_by: Known<PlainDate>;
  /** The last day to pay by card: the due date if HMRC counts the day of payment, otherwise as for Bacs. */
  readonly card_by: Known<PlainDate>;
};

/**
 * How HMRC dates a card payment: the day it is made (GOV.UK "Pay your Self Assessment tax bill") or when it clears, like Bacs (VAT-calc,
 * older).
 */
export type CardRule = 'on_the_day' | 'when_cleared';

/**
 * Returns the last payment dates for tax due on a date. Source: VATAC1300; alphagov/smart-answers vat_payment_deadlines; GOV.UK "Pay your
 * VAT bill".
 */
export function getPaymentDays(due: PlainDate, card: CardRule = 'when_cleared'): PaymentDays {
  const lastWorkingDay = getLastWorkingDayOnOrBefore(due);
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
