/** Control page actions: file a return with other software, or change a figure at HMRC afterwards. */
import { randomUUID } from 'node:crypto';
import { AppError } from '@portal/domain/app-error.ts';
import { pence, type WholePounds } from '@portal/domain/money.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import { computeBoxes3And5 } from '@portal/domain/uk-tax/vat/nine-boxes.ts';
import type { NineBoxes } from '@portal/domain/vat-returns/nine-boxes.ts';
import { fileReturn } from './file-return.ts';
import type { HmrcContext } from './hmrc-context.ts';
import type { TraderRecord } from './hmrc-records.ts';
import { listObligationStates } from './obligation-states.ts';
import { toReturnCharge } from './past-figures.ts';

/**
 * `refundPence` is the amount HMRC owes under the return: negative when the trader owes, 0 for a nil return. `daysAgo` is when HMRC
 * received it, at least one day ago. `isHidden`: HMRC doesn't show its figures.
 */
export type ExternalReturn = {
  readonly refundPence: number;
  readonly daysAgo?: number;
  readonly periodKey?: string;
  readonly isHidden?: boolean;
};

/** Files the given period, or the oldest open period that has ended. HMRC shows it as fulfilled from the day after receipt. */
export function fileExternalReturn(
  context: HmrcContext,
  trader: TraderRecord,
  { refundPence, daysAgo = 2, periodKey, isHidden = false }: ExternalReturn,
): string {
  const { records, clock, store } = context;
  const today = clock.today();
  return store.atomically(() => {
    const openObligation = listObligationStates(context, trader.vrn).find(
      (candidate) => !candidate.filed && (periodKey === undefined ? candidate.end < today : candidate.periodKey === periodKey),
    );
    if (!openObligation)
      throw new AppError('conflict', 'hmrc.nothing_to_file', 'This trader has filed returns for all periods that have ended.');
    const key = openObligation.periodKey;
    const filingResult = fileReturn(context, {
      trader,
      userId: 'other software',
      periodKey: key,
      boxes: createBoxes(refundPence),
      bodyText: '',
      correlationId: randomUUID(),
      receiptId: randomUUID(),
    });
    if (typeof filingResult === 'string')
      throw new AppError('conflict', 'hmrc.not_accepted', `HMRC rejected this return: ${filingResult}.`);
    const receivedOn = getLaterDate(addDays(openObligation.end, 1), addDays(today, -Math.max(1, daysAgo)));
    const filedReturn = records.returns(trader.vrn).get(key);
    const fulfilledOn = getEarlierDate(addDays(receivedOn, 1), today);
    if (filedReturn) records.returns(trader.vrn).put(key, { ...filedReturn, receivedOn, fulfilledOn, isHidden });
    const claim = records.repayments(trader.vrn).get(key);
    if (claim) records.repayments(trader.vrn).put(key, { ...claim, returnCreationDate: receivedOn });
    return key;
  });
}

/** Changes the figures of a return that HMRC holds, as after an officer's correction. */
export function amendReturn(context: HmrcContext, trader: TraderRecord, periodKey: string, refundPence: number): void {
  const { records, store } = context;
  store.atomically(() => {
    const filedReturn = records.returns(trader.vrn).get(periodKey);
    const period = records.obligations(trader.vrn).get(periodKey);
    if (!filedReturn || !period) throw new AppError('notFound', 'hmrc.no_return', 'HMRC has no return for that period.');
    const boxes = createBoxes(refundPence);
    records.returns(trader.vrn).put(periodKey, { ...filedReturn, boxes });
    const charge = toReturnCharge(periodKey, period, boxes);
    if (charge) records.charges(trader.vrn).put(charge.chargeId, charge);
    // A nil return has no charge.
    else records.charges(trader.vrn).delete(`return ${periodKey}`);
    const claim = records.repayments(trader.vrn).get(periodKey);
    if (claim && refundPence > 0) records.repayments(trader.vrn).put(periodKey, { ...claim, claimedPence: refundPence });
  });
}

/** Builds a return for a trader with zero-rated sales of £50,000 and VAT on purchases, or with VAT on sales when the trader owes. */
function createBoxes(refundPence: number): NineBoxes {
  const summedBoxes = { box1: pence(Math.max(0, -refundPence)), box2: pence(0), box4: pence(Math.max(0, refundPence)) };
  const { box3, box5 } = computeBoxes3And5(summedBoxes);
  const zeroPounds = 0 as WholePounds;
  const purchases = Math.round(summedBoxes.box4 / 20) as WholePounds;
  return { ...summedBoxes, box3, box5, box6: 50_000 as WholePounds, box7: purchases, box8: zeroPounds, box9: zeroPounds };
}

function getLaterDate(a: PlainDate, b: PlainDate): PlainDate {
  return a > b ? a : b;
}

function getEarlierDate(a: PlainDate, b: PlainDate): PlainDate {
  return a < b ? a : b;
}
