/** Serves POST /{vrn}/returns and GET /{vrn}/returns/{periodKey} (docs/reference/hmrc.md sections 3.5 and 3.6). */
import { randomUUID } from 'node:crypto';
import { addMonths } from '@portal/domain/plain-date.ts';
import type { FilingReceiptWire, VatReturnWire } from '@portal/providers/hmrc/hmrc-wire.ts';
import type { NineBoxes } from '@portal/domain/vat-returns/nine-boxes.ts';
import { checkReturn, type CheckedReturn } from './check-return.ts';
import { fileReturn, type FilingRefusal } from './file-return.ts';
import type { HmrcHandler } from './gateway.ts';
import { createApiError, createErrorList, HmrcApiError } from './hmrc-api-error.ts';
import type { HmrcContext } from './hmrc-context.ts';
import { createStatusError, createVatHandler, type VatOperation } from './vat-service.ts';

type Submission = Extract<CheckedReturn, { ok: true }>;

const SUBMIT_SCENARIOS: Readonly<Record<string, () => HmrcApiError>> = {
  INVALID_VRN: () => createApiError(400, 'VRN_INVALID', 'The provided VRN is invalid'),
  INVALID_PERIODKEY: () => createFilingError('PERIOD_KEY_INVALID'),
  INVALID_PAYLOAD: () => createApiError(400, 'INVALID_REQUEST', 'Invalid request'),
  DUPLICATE_SUBMISSION: () => createFilingError('DUPLICATE_SUBMISSION'),
  TAX_PERIOD_NOT_ENDED: () => createFilingError('TAX_PERIOD_NOT_ENDED'),
};

export function createSubmissionHandler(context: HmrcContext): HmrcHandler {
  return (request, reply) => createVatHandler(context, submitOperation(context, randomUUID()))(request, reply);
}

function submitOperation(context: HmrcContext, receiptId: string): VatOperation<Submission> {
  return {
    successStatus: 201,
    // HMRC sends these headers with errors too, so only the 201 proves a filing.
    headers: {
      'Receipt-ID': receiptId,
      'Receipt-Timestamp': context.clock.now().replace(/\.\d{3}Z$/, 'Z'),
      'Receipt-Signature': 'This has been deprecated - DO NOT USE',
    },
    check: ({ bodyText }) => {
      const checkedReturn = checkReturn(bodyText);
      if (checkedReturn.ok) return checkedReturn;
      if (checkedReturn.tier === 'json') throw createStatusError('Invalid Json');
      throw createErrorList(checkedReturn.tier === 'declaration' ? 403 : 400, checkedReturn.faults);
    },
    scenarios: [...Object.keys(SUBMIT_SCENARIOS), 'INSOLVENT_TRADER'],
    answer: ({ trader, userId, bodyText, correlationId, scenario }, { periodKey, boxes }) => {
      const cannedError = scenario === undefined ? undefined : SUBMIT_SCENARIOS[scenario];
      if (cannedError) throw cannedError();
      const filingOutcome = fileReturn(context, { trader, userId, periodKey, boxes, bodyText, correlationId, receiptId });
      if (typeof filingOutcome === 'string') throw createFilingError(filingOutcome);
      const receipt: FilingReceiptWire = {
        processingDate: filingOutcome.processedAt,
        formBundleNumber: filingOutcome.formBundleNumber,
        ...(filingOutcome.paymentIndicator ? { paymentIndicator: filingOutcome.paymentIndicator } : {}),
        ...(filingOutcome.chargeRefNumber ? { chargeRefNumber: filingOutcome.chargeRefNumber } : {}),
      };
      return receipt;
    },
  };
}

function createFilingError(refusal: FilingRefusal): HmrcApiError {
  switch (refusal) {
    case 'PERIOD_KEY_INVALID':
      return createApiError(400, 'PERIOD_KEY_INVALID', 'Invalid period key');
    case 'TAX_PERIOD_NOT_ENDED': {
      const message = 'The remote endpoint has indicated that the submission is for a tax period that has not ended';
      return createApiError(403, 'TAX_PERIOD_NOT_ENDED', message);
    }
    case 'DUPLICATE_SUBMISSION': {
      const message = 'The VAT return was already submitted for the given period.';
      return createErrorList(403, [{ code: 'DUPLICATE_SUBMISSION', message }]);
    }
  }
}

export function createViewOperation(context: HmrcContext): VatOperation<{ readonly periodKey: string }> {
  return {
    check: ({ params }) => {
      const periodKey = params['periodKey'] ?? '';
      if (/^[#0-9A-Z]{4}$/.test(periodKey)) return { periodKey };
      throw createErrorList(400, [{ code: 'PERIOD_KEY_INVALID', message: 'Invalid period key' }]);
    },
    scenarios: ['DATE_RANGE_TOO_LARGE', 'INSOLVENT_TRADER'],
    answer: ({ trader, scenario }, { periodKey }) => {
      const filedReturn = context.records.returns(trader.vrn).get(periodKey);
      const period = context.records.obligations(trader.vrn).get(periodKey);
      const isOverFourYearsOld = period !== undefined && period.end < addMonths(context.clock.today(), -48);
      if (scenario === 'DATE_RANGE_TOO_LARGE' || (filedReturn && isOverFourYearsOld)) {
        const message = 'The date of the requested return cannot be further than four years from the current date';
        throw createErrorList(403, [{ code: 'DATE_RANGE_TOO_LARGE', message }]);
      }
      // HMRC's server sends neither body nor Content-Type for an unfiled return.
      if (!filedReturn || filedReturn.isHidden) throw new HmrcApiError(404, undefined);
      return toReturnWire(periodKey, filedReturn.boxes);
    },
  };
}

/** The quotient is the number nearest to the decimal, so its shortest string representation is that decimal, for up to 15 digits. */
function toReturnWire(periodKey: string, boxes: NineBoxes): VatReturnWire {
  return {
    periodKey,
    vatDueSales: boxes.box1 / 100,
    vatDueAcquisitions: boxes.box2 / 100,
    totalVatDue: boxes.box3 / 100,
    vatReclaimedCurrPeriod: boxes.box4 / 100,
    netVatDue: boxes.box5 / 100,
    totalValueSalesExVAT: boxes.box6,
    totalValuePurchasesExVAT: boxes.box7,
    totalValueGoodsSuppliedExVAT: boxes.box8,
    totalAcquisitionsExVAT: boxes.box9,
  };
}
