/**
 * Moves a repayment claim through HMRC's stages (docs/reference/hmrc.md section 8). HMRC's APIs do not report the stages; only the control
 * page and the charge reflect them.
 */
import { AppError } from '@portal/domain/app-error.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import type { HmrcContext } from './hmrc-context.ts';
import type { RepaymentRecord, RepaymentStage } from './hmrc-records.ts';
import { addWeekdays } from './london-time.ts';
import { getRepaymentReference, RETURN_DEBIT } from './past-figures.ts';
import { listOverdueReturns } from './obligation-states.ts';

/** For automatic repayments: days from the return to HMRC's approval, then working days to the bank account. */
const DAYS_TO_APPROVAL = 5;
const WORKING_DAYS_TO_BANK = 3;

/** The setting that lets repayments move with the clock; off by default. */
export const AUTOMATIC_REPAYMENTS = 'automatic_repayments';

const FINAL_STAGES: ReadonlySet<RepaymentStage> = new Set(['ADJUSMENT_TO_TAX_DUE', 'PAID']);

/**
 * Moves a claim to a stage. `amountPence` is required for REPAYMENT_ADJUSTED (HMRC's repayment) and ADJUSMENT_TO_TAX_DUE (the trader's
 * debt).
 */
export async function moveRepayment(
  context: HmrcContext,
  vrn: string,
  periodKey: string,
  stage: RepaymentStage,
  amountPence?: number,
): Promise<RepaymentRecord> {
  if (stage === 'PAID') return payOut(context, vrn, periodKey);
  return context.store.atomically(() => {
    const repayment = getOpenClaim(context, vrn, periodKey);
    const movedRepayment = withStage(repayment, stage, context.clock.today());
    if (stage !== 'REPAYMENT_ADJUSTED' && stage !== 'ADJUSMENT_TO_TAX_DUE') return saveRepayment(context, movedRepayment);
    if (amountPence === undefined || !Number.isSafeInteger(amountPence) || amountPence <= 0) {
      throw new AppError('invalid', 'hmrc.amount_missing', `${stage} needs HMRC’s own figure in pence, above 0.`);
    }
    const owedPence = stage === 'REPAYMENT_ADJUSTED' ? -amountPence : amountPence;
    changeCharge(context, movedRepayment, owedPence);
    return saveRepayment(context, { ...movedRepayment, hmrcPence: amountPence });
  });
}

/** Returns the amount that reaches the trader: HMRC's figure or the claim, less the set-off. */
export function getPayablePence(repayment: RepaymentRecord): number {
  return (repayment.hmrcPence ?? repayment.claimedPence) - repayment.setOffPence;
}

/** Moves claims with the clock when automatic repayments are on: approved after five days, in the bank three working days later. */
export async function approveAndPayDueRepayments(context: HmrcContext, vrn: string): Promise<void> {
  if (context.records.settings.get(AUTOMATIC_REPAYMENTS) !== true) return;
  const today = context.clock.today();
  for (const { document } of context.records.repayments(vrn).list()) {
    let repayment = document;
    if (listOverdueReturns(context, vrn).length > 0) return;
    if (repayment.stage === 'INITIAL' && addDays(repayment.returnCreationDate, DAYS_TO_APPROVAL) <= today) {
      repayment = await moveRepayment(context, vrn, repayment.periodKey, 'REPAYMENT_APPROVED');
    }
    const approvedOn = repayment.stages.at(-1)?.on ?? today;
    const isApproved = repayment.stage === 'REPAYMENT_APPROVED' || repayment.stage === 'REPAYMENT_ADJUSTED';
    if (isApproved && addWeekdays(approvedOn, WORKING_DAYS_TO_BANK) <= today) await payOut(context, vrn, repayment.periodKey);
  }
}

/** Adds a stage without checks; used for new claims. */
export function withStage(repayment: RepaymentRecord, stage: RepaymentStage, on: PlainDate): RepaymentRecord {
  return { ...repayment, stage, stages: [...repayment.stages, { stage, on }] };
}

/**
 * Notifies the bank inside the transaction that records the payment, so that a killed process neither loses nor repeats it when
 * the bank simulator uses the same store. If the bank rejects the payment, the claim stays unpaid.
 */
async function payOut(context: HmrcContext, vrn: string, periodKey: string): Promise<RepaymentRecord> {
  let bankPayment: void | Promise<void> = undefined;
  let previousRepayment: RepaymentRecord | undefined;
  const paidRepayment = context.store.atomically(() => {
    previousRepayment = getOpenClaim(context, vrn, periodKey);
    if (listOverdueReturns(context, vrn).length > 0) {
      throw new AppError('conflict', 'hmrc.return_outstanding', 'HMRC doesn’t pay refunds while a return is outstanding. File it first.');
    }
    const today = context.clock.today();
    const isApproved = previousRepayment.stage === 'REPAYMENT_APPROVED' || previousRepayment.stage === 'REPAYMENT_ADJUSTED';
    const approvedRepayment = isApproved ? previousRepayment : withStage(previousRepayment, 'REPAYMENT_APPROVED', today);
    const account = context.records.traders.get(vrn)?.repaymentAccount;
    const amountPence = getPayablePence(approvedRepayment);
    const reference = getRepaymentReference(vrn);
    const method = amountPence === 0 ? 'set_off' : account ? 'bank' : 'payable_order';
    clearCharges(context, approvedRepayment);
    if (method === 'bank' && account) {
      const { sortCode, accountNumber } = account;
      bankPayment = context.payRepayment({ vrn, sortCode, accountNumber, amountPence, reference });
    }
    const payment = { on: today, amountPence, reference, by: method, ...(account ? { account } : {}) } as const;
    return saveRepayment(context, { ...withStage(approvedRepayment, 'PAID', today), paid: payment });
  });
  try {
    // The bank may respond synchronously or later.
    await Promise.resolve(bankPayment);
  } catch (error) {
    if (previousRepayment) restoreUnpaidClaim(context, previousRepayment);
    throw error;
  }
  return paidRepayment;
}

function restoreUnpaidClaim(context: HmrcContext, previous: RepaymentRecord): void {
  context.store.atomically(() => {
    const charge = context.records.charges(previous.vrn).get(previous.chargeId);
    if (charge) context.records.charges(previous.vrn).put(previous.chargeId, { ...charge, outstandingPence: charge.originalPence });
    saveRepayment(context, previous);
  });
}

/** Clears the claim's charge; the set-off pays the trader's debts, oldest first. */
function clearCharges(context: HmrcContext, repayment: RepaymentRecord): void {
  const charges = context.records.charges(repayment.vrn);
  const claimCharge = charges.get(repayment.chargeId);
  if (claimCharge) charges.put(claimCharge.chargeId, { ...claimCharge, outstandingPence: 0 });
  let leftPence = repayment.setOffPence;
  for (const { key, document: debt } of charges.list()) {
    const takenPence = Math.min(leftPence, Math.max(debt.outstandingPence, 0));
    if (takenPence > 0) charges.put(key, { ...debt, outstandingPence: debt.outstandingPence - takenPence });
    leftPence -= takenPence;
  }
}

function changeCharge(context: HmrcContext, repayment: RepaymentRecord, owedPence: number): void {
  const charges = context.records.charges(repayment.vrn);
  const charge = charges.get(repayment.chargeId);
  if (!charge) throw new AppError('bug', 'hmrc.charge_missing', `the claim ${repayment.periodKey} has no charge`);
  const type = owedPence > 0 ? RETURN_DEBIT : charge.type;
  charges.put(charge.chargeId, { ...charge, type, originalPence: owedPence, outstandingPence: owedPence });
}

function getOpenClaim(context: HmrcContext, vrn: string, periodKey: string): RepaymentRecord {
  const repayment = context.records.repayments(vrn).get(periodKey);
  if (!repayment) throw new AppError('notFound', 'hmrc.no_repayment', `${vrn} has no repayment claim for that period.`);
  if (FINAL_STAGES.has(repayment.stage)) {
    throw new AppError('conflict', 'hmrc.repayment_final', `This claim has ended (${repayment.stage}), so you can’t move it.`);
  }
  return repayment;
}

function saveRepayment(context: HmrcContext, repayment: RepaymentRecord): RepaymentRecord {
  context.records.repayments(repayment.vrn).put(repayment.periodKey, repayment);
  return repayment;
}
