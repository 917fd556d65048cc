/** VAT penalties from the last 24 months: points and charges for late returns, and penalties for late payment. */
import { parsePounds, ZERO, type Pence } from '@portal/domain/money.ts';
import { plainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import type { HmrcCall } from '../hmrc/hmrc-types.ts';
import { readResponse, sendToHmrc } from '../hmrc/send-to-hmrc.ts';
import type { AgentClientDeps } from './agent-authorisation-client.ts';
import { vatPenaltiesWire, type VatPenaltiesWire } from './vat-penalties-wire.ts';

export type VatPenalties = {
  readonly activePoints: number;
  /** The number of points at which every late return incurs a penalty; 0 if HMRC doesn't send one. */
  readonly pointsThreshold: number;
  /** Points are removed if every return is filed on time until this date; absent if there are no active points. */
  readonly complianceBy?: PlainDate;
  readonly lateReturns: readonly {
    readonly period?: { readonly start: PlainDate; readonly end: PlainDate; readonly due?: PlainDate };
    readonly isActive: boolean;
    /** False once the threshold has been reached: a late return then incurs a penalty but no point. Absent from older stored data. */
    readonly isPoint?: boolean;
    readonly pointExpiresOn: PlainDate;
    /** Present if the late return led to a financial penalty. */
    readonly charge?: { readonly reference?: string; readonly amount: Pence; readonly outstanding: Pence; readonly due?: PlainDate };
  }[];
  readonly latePayments: readonly {
    readonly penaltyNumber: 'first' | 'second';
    /** An accruing penalty is still growing and has no reference yet. */
    readonly status: 'accruing' | 'posted';
    readonly amount: Pence;
    readonly outstanding: Pence;
    readonly reference?: string;
    /** The due date of the penalty itself; absent while it accrues. */
    readonly due?: PlainDate;
    readonly period: { readonly start: PlainDate; readonly end: PlainDate; readonly due: PlainDate };
  }[];
};

export type VatPenaltiesClient = { listPenalties(call: HmrcCall, vrn: string): Promise<VatPenalties> };

/** Creates the client, which is stateless. */
export function createVatPenaltiesClient(deps: AgentClientDeps): VatPenaltiesClient {
  return {
    listPenalties: async (call, vrn) => {
      const hmrcResponse = await sendToHmrc(deps, {
        operation: 'hmrc.penalties',
        method: 'GET',
        effect: 'read',
        url: `${deps.apiUrl}/organisations/vat/${encodeURIComponent(vrn)}/penalties`,
        headers: { ...call.fraudHeaders, accept: 'application/vnd.hmrc.1.0+json', authorization: `Bearer ${call.accessToken}` },
      });
      // If there are no penalties, HMRC sends an empty object instead of a 404.
      return readResponse(hmrcResponse, 200, vatPenaltiesWire, mapPenalties);
    },
  };
}

/** Maps HMRC's response; an empty object means no penalties. */
export function mapPenalties({ lateSubmissionPenalty: latePoints, latePaymentPenalty: payment }: VatPenaltiesWire): VatPenalties {
  const achievedBy = latePoints?.summary.periodOfComplianceAchievement;
  return {
    activePoints: latePoints?.summary.activePenaltyPoints ?? 0,
    pointsThreshold: latePoints?.summary.regimeThreshold ?? 0,
    // 9999-12-31 means that no points are active.
    ...(achievedBy === undefined || achievedBy === '9999-12-31' ? {} : { complianceBy: plainDate(achievedBy) }),
    lateReturns: (latePoints?.details ?? []).map(mapLateReturn),
    latePayments: (payment?.details ?? []).map(mapLatePayment),
  };
}

function mapLateReturn(
  detail: NonNullable<VatPenaltiesWire['lateSubmissionPenalty']>['details'][number],
): VatPenalties['lateReturns'][number] {
  const [first] = detail.lateSubmissions ?? [];
  const { taxPeriodStartDate: start, taxPeriodEndDate: end, taxPeriodDueDate: due } = first ?? {};
  const amount = detail.chargeAmount;
  return {
    isActive: detail.penaltyStatus === 'active',
    isPoint: detail.penaltyCategory !== 'charge',
    pointExpiresOn: plainDate(detail.penaltyExpiryDate),
    ...(start === undefined || end === undefined
      ? {}
      : { period: { start: plainDate(start), end: plainDate(end), ...(due === undefined ? {} : { due: plainDate(due) }) } }),
    ...(amount === undefined
      ? {}
      : {
          charge: {
            amount: readPence(amount),
            outstanding: detail.chargeOutstandingAmount === undefined ? ZERO : readPence(detail.chargeOutstandingAmount),
            ...(detail.chargeReference === undefined ? {} : { reference: detail.chargeReference }),
            ...(detail.chargeDueDate === undefined ? {} : { due: plainDate(detail.chargeDueDate) }),
          },
        }),
  };
}

type LatePaymentWire = NonNullable<NonNullable<VatPenaltiesWire['latePaymentPenalty']>['details']>[number];

function mapLatePayment(detail: LatePaymentWire): VatPenalties['latePayments'][number] {
  const isPosted = detail.penaltyStatus === 'posted';
  const amount = readPence(isPosted ? detail.penaltyAmountPosted : detail.penaltyAmountAccruing);
  return {
    penaltyNumber: detail.penaltyCategory === 'LPP2' ? 'second' : 'first',
    status: detail.penaltyStatus,
    amount,
    outstanding: detail.penaltyAmountOutstanding === undefined ? (isPosted ? ZERO : amount) : readPence(detail.penaltyAmountOutstanding),
    ...(detail.penaltyChargeReference === undefined ? {} : { reference: detail.penaltyChargeReference }),
    ...(detail.penaltyChargeDueDate === undefined ? {} : { due: plainDate(detail.penaltyChargeDueDate) }),
    period: {
      start: plainDate(detail.principalChargeBillingFrom),
      end: plainDate(detail.principalChargeBillingTo),
      due: plainDate(detail.principalChargeDueDate),
    },
  };
}

function readPence(amount: number): Pence {
  const parsed = parsePounds(String(amount));
  if (parsed === undefined) throw new RangeError(`not an amount: ${amount}`);
  return parsed;
}
