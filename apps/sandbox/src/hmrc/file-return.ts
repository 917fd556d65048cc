/** Records a return permanently, once for each VAT number and period. */
import { randomBytes, randomInt } from 'node:crypto';
import type { Instant } from '@portal/domain/clock.ts';
import type { NineBoxes } from '@portal/domain/vat-returns/nine-boxes.ts';
import { applyToNewClaim, resumeClaims } from './apply-situation.ts';
import type { HmrcContext } from './hmrc-context.ts';
import type { RepaymentRecord, TraderRecord } from './hmrc-records.ts';
import { getFulfilmentDay } from './london-time.ts';
import { toReturnCharge } from './past-figures.ts';

export type Filing = {
  readonly trader: TraderRecord;
  readonly userId: string;
  readonly periodKey: string;
  readonly boxes: NineBoxes;
  readonly bodyText: string;
  readonly correlationId: string;
  readonly receiptId: string;
};

/** Content of the 201 response. `paymentIndicator` is absent for a nil return or when HMRC does not have the data. */
export type AcceptedReturn = {
  readonly processedAt: Instant;
  readonly formBundleNumber: string;
  readonly paymentIndicator?: 'DD' | 'BANK';
  readonly chargeRefNumber?: string;
};

export type FilingRefusal = 'PERIOD_KEY_INVALID' | 'DUPLICATE_SUBMISSION' | 'TAX_PERIOD_NOT_ENDED';

/** Checks and writes in one transaction, so that only one of two identical simultaneous submissions is accepted. */
export function fileReturn(context: HmrcContext, filing: Filing): AcceptedReturn | FilingRefusal {
  const { records, clock, store } = context;
  const { trader, periodKey, boxes } = filing;
  return store.atomically(() => {
    const today = clock.today();
    const obligation = records.obligations(trader.vrn).get(periodKey);
    if (!obligation || obligation.start > today) return 'PERIOD_KEY_INVALID';
    if (records.returns(trader.vrn).get(periodKey)) return 'DUPLICATE_SUBMISSION';
    if (obligation.end >= today) return 'TAX_PERIOD_NOT_ENDED';
    const now = clock.now();
    const formBundleNumber = String(randomInt(100_000_000_000, 1_000_000_000_000));
    records
      .returns(trader.vrn)
      .put(periodKey, { periodKey, boxes, receivedOn: today, fulfilledOn: getFulfilmentDay(now), source: 'filed' });
    records.submissions.put(formBundleNumber, {
      vrn: trader.vrn,
      periodKey,
      acceptedAt: now,
      userId: filing.userId,
      formBundleNumber,
      receiptId: filing.receiptId,
      correlationId: filing.correlationId,
      bodyText: filing.bodyText,
    });
    resumeClaims(context, trader.vrn);
    const charge = toReturnCharge(periodKey, obligation, boxes);
    if (!charge) return { processedAt: now, formBundleNumber };
    records.charges(trader.vrn).put(charge.chargeId, charge);
    if (charge.originalPence > 0) {
      // HMRC's reference for a debit charge: 16 letters and digits.
      const chargeRefNumber = randomBytes(18).toString('base64').replaceAll(/[+/]/g, 'x').slice(0, 16);
      return { processedAt: now, formBundleNumber, chargeRefNumber, ...(trader.hasDirectDebit ? { paymentIndicator: 'DD' } : {}) };
    }
    const claim: RepaymentRecord = {
      vrn: trader.vrn,
      periodKey,
      chargeId: charge.chargeId,
      returnCreationDate: today,
      claimedPence: -charge.originalPence,
      setOffPence: 0,
      stage: 'INITIAL',
      stages: [{ stage: 'INITIAL', on: today }],
    };
    records.repayments(trader.vrn).put(periodKey, claim);
    applyToNewClaim(context, trader, claim);
    return { processedAt: now, formBundleNumber, ...(trader.repaymentAccount ? { paymentIndicator: 'BANK' } : {}) };
  });
}
