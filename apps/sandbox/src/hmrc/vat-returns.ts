/** POST /{vrn}/returns and GET /{vrn}/returns/{periodKey} (FACTS 3.5, 3.6). */
import { randomUUID } from 'node:crypto';
import { addMonths } from '@portal/domain/plain-date.ts';
import { json } from '../simulator/responses.ts';
import type { FilingReceiptWire, VatReturnWire } from '@portal/providers/hmrc/hmrc-wire.ts';
import type { NineBoxes } from '@portal/domain/vat-return/nine-boxes.ts';
import { checkReturn, type CheckedReturn } from './check-return.ts';
import { fileReturn, type FilingRefusal } from './file-return.ts';
import { fault, type ApiCall } from './gateway.ts';
import type { HmrcContext } from './hmrc-context.ts';
import { listedFaults, serveVat, statusFault, type VatOperation } from './vat-service.ts';

type Submission = Extract<CheckedReturn, { ok: true }>;

const SUBMIT_SCENARIOS: Readonly<Record<string, () => Response>> = {
  INVALID_VRN: () => fault(400, 'VRN_INVALID', 'The provided VRN is invalid'),
  INVALID_PERIODKEY: () => refuse('PERIOD_KEY_INVALID'),
  INVALID_PAYLOAD: () => fault(400, 'INVALID_REQUEST', 'Invalid request'),
  DUPLICATE_SUBMISSION: () => refuse('DUPLICATE_SUBMISSION'),
  TAX_PERIOD_NOT_ENDED: () => refuse('TAX_PERIOD_NOT_ENDED'),
};

/** Every answer made after the enrolment check carries receipt headers, a refusal too: only the 201 proves a filing. */
export function serveSubmission(context: HmrcContext): (call: ApiCall) => Promise<Response> {
  return async (call) => {
    const receiptId = randomUUID();
    const response = await serveVat(context, submitOperation(context, receiptId))(call);
    if (!response.headers.has('X-CorrelationId')) return response;
    response.headers.set('Receipt-ID', receiptId);
    response.headers.set('Receipt-Timestamp', context.clock.now().replace(/\.\d{3}Z$/, 'Z'));
    response.headers.set('Receipt-Signature', 'This has been deprecated - DO NOT USE');
    return response;
  };
}

function submitOperation(context: HmrcContext, receiptId: string): VatOperation<Submission> {
  return {
    check: ({ bodyText }) => {
      const checked = checkReturn(bodyText);
      if (checked.ok) return checked;
      if (checked.tier === 'json') return statusFault('Invalid Json');
      return listedFaults(checked.tier === 'declaration' ? 403 : 400, checked.faults);
    },
    scenarios: [...Object.keys(SUBMIT_SCENARIOS), 'INSOLVENT_TRADER'],
    answer: ({ trader, userId, bodyText, correlationId, scenario }, { periodKey, boxes }) => {
      const canned = scenario === undefined ? undefined : SUBMIT_SCENARIOS[scenario];
      if (canned) return canned();
      const filed = fileReturn(context, { trader, userId, periodKey, boxes, bodyText, correlationId, receiptId });
      if (typeof filed === 'string') return refuse(filed);
      const receipt: FilingReceiptWire = {
        processingDate: filed.processedAt,
        formBundleNumber: filed.formBundleNumber,
        ...(filed.paymentIndicator ? { paymentIndicator: filed.paymentIndicator } : {}),
        ...(filed.chargeRefNumber ? { chargeRefNumber: filed.chargeRefNumber } : {}),
      };
      return json(201, receipt);
    },
  };
}

function refuse(refusal: FilingRefusal): Response {
  switch (refusal) {
    case 'PERIOD_KEY_INVALID':
      return fault(400, 'PERIOD_KEY_INVALID', 'Invalid period key');
    case 'TAX_PERIOD_NOT_ENDED': {
      const message = 'The remote endpoint has indicated that the submission is for a tax period that has not ended';
      return fault(403, 'TAX_PERIOD_NOT_ENDED', message);
    }
    case 'DUPLICATE_SUBMISSION': {
      const message = 'The VAT return was already submitted for the given period.';
      return listedFaults(403, [{ code: 'DUPLICATE_SUBMISSION', message }]);
    }
  }
}

export function viewOperation(context: HmrcContext): VatOperation<{ readonly periodKey: string }> {
  return {
    check: ({ params }) => {
      const periodKey = params['periodKey'] ?? '';
      if (/^[#0-9A-Z]{4}$/.test(periodKey)) return { periodKey };
      return listedFaults(400, [{ code: 'PERIOD_KEY_INVALID', message: 'Invalid period key' }]);
    },
    scenarios: ['DATE_RANGE_TOO_LARGE', 'INSOLVENT_TRADER'],
    answer: ({ trader, scenario }, { periodKey }) => {
      const filed = context.records.returns(trader.vrn).get(periodKey);
      const period = context.records.obligations(trader.vrn).get(periodKey);
      const isOld = period !== undefined && period.end < addMonths(context.clock.today(), -48);
      if (scenario === 'DATE_RANGE_TOO_LARGE' || (filed && isOld)) {
        const message = 'The date of the requested return cannot be further than four years from the current date';
        return listedFaults(403, [{ code: 'DATE_RANGE_TOO_LARGE', message }]);
      }
      // The server answers an unfiled return with nothing at all: no body, no Content-Type.
      return filed ? json(200, returnWire(periodKey, filed.boxes)) : new Response(null, { status: 404 });
    },
  };
}

/** Pence over 100 is the number nearest to the decimal, whose shortest text is that decimal again: nothing is lost up to 15 digits. */
function returnWire(periodKey: string, boxes: NineBoxes): VatReturnWire {
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
