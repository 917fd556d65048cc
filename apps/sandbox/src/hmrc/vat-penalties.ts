/**
 * GET /{vrn}/penalties and /{vrn}/financial-details/{reference} (docs/reference/hmrc.md section 3.8). Traders of a loaded portfolio have
 * stored penalties; others have them only in a scenario.
 */
import { createApiError } from './hmrc-api-error.ts';
import type { HmrcContext } from './hmrc-context.ts';
import type { VatOperation } from './vat-service.ts';

type Json = Readonly<Record<string, unknown>>;

export function createPenaltiesOperation(context: HmrcContext): VatOperation<Record<never, never>> {
  return {
    check: () => ({}),
    scenarios: Object.keys(PENALTY_SCENARIOS),
    // Without penalties the response is 200 with an empty object, unlike all other lists.
    answer: ({ scenario, trader }) =>
      (scenario === undefined ? context.records.penalties.get(trader.vrn) : PENALTY_SCENARIOS[scenario]) ?? {},
  };
}

export function createFinancialDetailsOperation(): VatOperation<{ readonly reference: string }> {
  return {
    check: ({ params }) => {
      const reference = params['penaltyChargeReference'] ?? '';
      if (/^X[a-zA-Z]\d{12}$/.test(reference)) return { reference };
      throw createApiError(400, 'CHARGE_REFERENCE_INVALID', 'The provided chargeReference is invalid');
    },
    scenarios: ['DEFAULT'],
    answer: ({ scenario }, { reference }) => {
      if (scenario === 'DEFAULT' || reference === LATE_PAYMENT_REFERENCE) return FINANCIAL_DETAILS;
      throw createApiError(404, 'MATCHING_RESOURCE_NOT_FOUND', 'Matching resource not found');
    },
  };
}

const LATE_PAYMENT_REFERENCE = 'XP123456789012';

function createLatePoint(number: number, category: 'point' | 'threshold' | 'charge', status: 'active' | 'inactive' = 'active'): Json {
  const month = String(number).padStart(2, '0');
  const isCharged = category !== 'point';
  return {
    penaltyNumber: `0000${number}`,
    penaltyOrder: String(number),
    penaltyCategory: category,
    penaltyStatus: status,
    penaltyCreationDate: `2023-${month}-08`,
    penaltyExpiryDate: `2025-${month}-01`,
    ...(status === 'inactive' ? { expiryReason: 'appeal' } : {}),
    lateSubmissions: [
      {
        lateSubmissionID: `10546${month}`,
        taxReturnStatus: 'Fulfilled',
        taxPeriodStartDate: `2023-${month}-01`,
        taxPeriodEndDate: `2023-${month}-28`,
        taxPeriodDueDate: `2023-${month}-07`,
        returnReceiptDate: `2023-${month}-13`,
      },
    ],
    ...(isCharged
      ? { chargeReference: `XS19876543210${number}`, chargeAmount: 200, chargeOutstandingAmount: 200, chargeDueDate: `2023-${month}-28` }
      : {}),
  };
}

function createLatePayment(category: 'LPP1' | 'LPP2', isPosted: boolean): Json {
  return {
    principalChargeReference: 'XV123451234512',
    penaltyCategory: category,
    penaltyStatus: isPosted ? 'posted' : 'accruing',
    penaltyAmountAccruing: isPosted ? 0 : 30.68,
    penaltyAmountPosted: isPosted ? 400 : 0,
    ...(isPosted ? { penaltyAmountPaid: 0, penaltyAmountOutstanding: 400, penaltyChargeReference: LATE_PAYMENT_REFERENCE } : {}),
    ...(category === 'LPP2' ? { latePaymentPenalty2Days: '23', latePaymentPenalty2Percentage: 4 } : {}),
    principalChargeDocNumber: '10023852',
    principalChargeBillingFrom: '2024-01-01',
    principalChargeBillingTo: '2024-03-31',
    principalChargeDueDate: '2024-05-07',
  };
}

function createPenalties(points: readonly Json[], payments: readonly Json[]): Json {
  const activePointCount = points.filter(
    ({ penaltyStatus, penaltyCategory }) => penaltyStatus === 'active' && penaltyCategory !== 'charge',
  ).length;
  const chargedAmount = points.filter(({ chargeAmount }) => chargeAmount !== undefined).length * 200;
  return {
    totalisations: {
      lateSubmissionPenaltyTotalValue: chargedAmount,
      penalisedPrincipalTotal: payments.length > 0 ? 10_000 : 0,
      latePaymentPenaltyPostedTotal: payments.filter(({ penaltyStatus }) => penaltyStatus === 'posted').length * 400,
      latePaymentPenaltyEstimateTotal: payments.some(({ penaltyStatus }) => penaltyStatus === 'accruing') ? 30.68 : 0,
    },
    ...(points.length > 0
      ? {
          lateSubmissionPenalty: {
            summary: {
              activePenaltyPoints: activePointCount,
              inactivePenaltyPoints: points.filter(({ penaltyStatus }) => penaltyStatus === 'inactive').length,
              // 9999-12-31 means that there are no active points.
              periodOfComplianceAchievement: activePointCount > 0 ? '2025-05-31' : '9999-12-31',
              regimeThreshold: 4,
              penaltyChargeAmount: chargedAmount,
            },
            details: points,
          },
        }
      : {}),
    ...(payments.length > 0 ? { latePaymentPenalty: { details: payments } } : {}),
  };
}

const THREE_POINTS = [createLatePoint(1, 'point'), createLatePoint(2, 'point'), createLatePoint(3, 'point')];
const BOTH_LATE_PAYMENTS = [createLatePayment('LPP1', true), createLatePayment('LPP2', false)];
const PENALTY_SCENARIOS: Readonly<Record<string, Json>> = {
  DEFAULT: createPenalties(THREE_POINTS, BOTH_LATE_PAYMENTS),
  NO_PENALTIES: {},
  LATE_SUBMISSION: createPenalties([createLatePoint(1, 'point')], []),
  LATE_PAYMENT: createPenalties([], [createLatePayment('LPP1', true)]),
  MULTIPLE_PENALTIES: createPenalties([createLatePoint(1, 'point')], [createLatePayment('LPP1', true)]),
  MULTIPLE_LATE_PAYMENT_PENALTIES: createPenalties([], BOTH_LATE_PAYMENTS),
  MULTIPLE_LATE_SUBMISSION_PENALTIES: createPenalties(THREE_POINTS, []),
  MULTIPLE_INACTIVE_LATE_SUBMISSION_PENALTIES: createPenalties(
    [createLatePoint(1, 'point', 'inactive'), createLatePoint(2, 'point', 'inactive')],
    [],
  ),
  THRESHOLD_LATE_SUBMISSION_PENALTIES: createPenalties([...THREE_POINTS, createLatePoint(4, 'threshold')], []),
  CHARGE_LATE_SUBMISSION_PENALTIES: createPenalties([...THREE_POINTS, createLatePoint(4, 'threshold'), createLatePoint(5, 'charge')], []),
};

const FINANCIAL_DETAILS: Json = {
  totalisations: { totalOverdue: 400, totalNotYetDue: 0, totalBalance: 400, totalCredit: 0, totalCleared: 0 },
  documentDetails: [
    {
      postingDate: '2024-06-06',
      issueDate: '2024-06-06',
      documentTotalAmount: 400,
      documentClearedAmount: 0,
      documentOutstandingAmount: 400,
      lineItemDetails: [
        {
          chargeDescription: 'VAT Return 1st LPP',
          periodFromDate: '2024-01-01',
          periodToDate: '2024-03-31',
          netDueDate: '2024-07-06',
          amount: 400,
        },
      ],
    },
  ],
};
