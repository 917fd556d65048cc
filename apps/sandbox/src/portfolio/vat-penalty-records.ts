/** VAT penalties of generated clients, at the rates in force on their dates. */
import { pence, type Pence } from '@portal/domain/money.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import { getValueOrForecast } from '@portal/domain/uk-tax/known.ts';
import {
  getCompliancePeriod,
  LATE_SUBMISSION_PENALTY,
  getPointExpiry,
  POINTS_RULES,
} from '@portal/domain/uk-tax/penalties/late-submission-points.ts';
import { calculateVatLatePaymentPenalty } from '@portal/domain/uk-tax/vat/late-payment-penalty.ts';
import type { ChargeRecord } from '../hmrc/hmrc-records.ts';
import { getDueDateAfter, type Period } from '../hmrc/vat-periods.ts';
import type { VatPenaltiesWire } from '@portal/providers/hmrc-agent/vat-penalties-wire.ts';

type LateReturn = { readonly period: Period; readonly receivedOn: PlainDate };

/** Creates one point for each late return, oldest first. A point at the threshold also has a charge. */
export function createPointsAtThreshold(
  vrn: string,
  lateReturns: readonly LateReturn[],
  frequency: 'monthly' | 'quarterly',
): VatPenaltiesWire {
  const threshold = POINTS_RULES[frequency].threshold;
  const penalty = LATE_SUBMISSION_PENALTY / 100;
  const details = lateReturns.map(({ period, receivedOn }, index) => {
    const dueOn = getDueDateAfter(period.end);
    const isThreshold = index + 1 >= threshold;
    return {
      penaltyNumber: `${vrn}${String(index + 1).padStart(2, '0')}`,
      penaltyOrder: String(index + 1),
      penaltyCategory: isThreshold ? ('threshold' as const) : ('point' as const),
      penaltyStatus: 'active' as const,
      penaltyCreationDate: addDays(dueOn, 1),
      penaltyExpiryDate: addDays(getPointExpiry(dueOn), 1),
      lateSubmissions: [
        {
          lateSubmissionID: `00${index + 1}`,
          taxReturnStatus: 'Fulfilled' as const,
          taxPeriodStartDate: period.start,
          taxPeriodEndDate: period.end,
          taxPeriodDueDate: dueOn,
          returnReceiptDate: receivedOn,
        },
      ],
      ...(isThreshold
        ? {
            chargeReference: `XP${vrn}${String(index + 1).padStart(3, '0')}`,
            chargeAmount: penalty,
            chargeOutstandingAmount: penalty,
            chargeDueDate: addDays(receivedOn, 30),
          }
        : {}),
    };
  });
  const chargedAmount = details.filter(({ penaltyCategory }) => penaltyCategory === 'threshold').length * penalty;
  const lastDue = lateReturns.map(({ period }) => getDueDateAfter(period.end)).at(-1);
  return {
    totalisations: {
      lateSubmissionPenaltyTotalValue: chargedAmount,
      penalisedPrincipalTotal: 0,
      latePaymentPenaltyPostedTotal: 0,
      latePaymentPenaltyEstimateTotal: 0,
    },
    lateSubmissionPenalty: {
      summary: {
        activePenaltyPoints: details.length,
        inactivePenaltyPoints: 0,
        periodOfComplianceAchievement: lastDue === undefined ? '9999-12-31' : getCompliancePeriod(frequency, lastDue).end,
        regimeThreshold: threshold,
        penaltyChargeAmount: penalty,
      },
      details,
    },
  };
}

/**
 * Creates the late payment penalties that have accrued on a charge by a given day. Returns undefined in the first fifteen days, when none
 * apply.
 */
export function createPaymentPenalties(vrn: string, charge: ChargeRecord, asOf: PlainDate): VatPenaltiesWire | undefined {
  const { period } = charge;
  if (!period) return undefined;
  const unpaidAmount = pence(charge.outstandingPence);
  const calculatedPenalty = getValueOrForecast(
    calculateVatLatePaymentPenalty(period.from, { due: charge.due, amount: unpaidAmount, payments: [], as_of: asOf }),
  );
  if (!calculatedPenalty || calculatedPenalty.first === 0) return undefined;
  const second = getValueOrForecast(calculatedPenalty.second) ?? pence(0);
  const toAccruingPenalty = (category: 'LPP1' | 'LPP2', amount: Pence) => ({
    principalChargeReference: `XM${vrn}001`,
    penaltyCategory: category,
    penaltyStatus: 'accruing' as const,
    penaltyAmountAccruing: amount / 100,
    penaltyAmountPosted: 0,
    principalChargeDocNumber: `1${vrn}`,
    principalChargeBillingFrom: period.from,
    principalChargeBillingTo: period.to,
    principalChargeDueDate: charge.due,
  });
  return {
    totalisations: {
      lateSubmissionPenaltyTotalValue: 0,
      penalisedPrincipalTotal: unpaidAmount / 100,
      latePaymentPenaltyPostedTotal: 0,
      latePaymentPenaltyEstimateTotal: (calculatedPenalty.first + second) / 100,
    },
    latePaymentPenalty: {
      details: [toAccruingPenalty('LPP1', calculatedPenalty.first), ...(second > 0 ? [toAccruingPenalty('LPP2', second)] : [])],
    },
  };
}
