/** Figures of the generated history. They are always the same for the same trader. */
import { type Period, getDueDateAfter } from './vat-periods.ts';
import type { NineBoxes } from '@portal/domain/vat-returns/nine-boxes.ts';
import type { ChargeRecord, TraderRecord } from './hmrc-records.ts';
import { ZERO, pence, type Pence, type WholePounds, toWholePounds } from '@portal/domain/money.ts';

export const RETURN_CREDIT = 'VAT Return Credit Charge';
export const RETURN_DEBIT = 'VAT Return Debit Charge';
export const CORRECTION_DEBIT = 'VAT EC Debit Charge';
export const ASSESSMENT_DEBIT = 'VAT OA Debit Charge';

/** Returns the charge of a return: negative when HMRC owes, undefined for a nil return. */
export function toReturnCharge(periodKey: string, period: Period, boxes: NineBoxes): ChargeRecord | undefined {
  const owedPence = boxes.box3 - boxes.box4;
  if (owedPence === 0) return undefined;
  return {
    chargeId: `return ${periodKey}`,
    periodKey,
    period: { from: period.start, to: period.end },
    type: owedPence > 0 ? RETURN_DEBIT : RETURN_CREDIT,
    originalPence: owedPence,
    outstandingPence: owedPence,
    due: getDueDateAfter(period.end),
  };
}

/** Returns the reference of a repayment on a bank statement, at most 18 characters. */
export function getRepaymentReference(vrn: string): string {
  return `HMRC VTR ${vrn}`;
}

/** Returns the boxes of a generated return, always the same for the same trader and period. */
export function createPastBoxes(trader: Pick<TraderRecord, 'vrn' | 'history'>, periodsAgo: number): NineBoxes {
  const { kind, typicalNetPence } = trader.history;
  if (kind === 'dormant') return createNineBoxes(ZERO, ZERO, 0, 0);
  const netPence = Math.round(typicalNetPence * (0.75 + getVariation(trader.vrn, periodsAgo) * 0.5));
  if (kind === 'payer') return createNineBoxes(pence(netPence * 3), pence(netPence * 2), netPence * 15, netPence * 10);
  // An exporter's sales are mostly zero-rated: little output tax, much input tax, and sales far above what the tax suggests.
  const outputPence = Math.round(netPence * 0.21);
  return createNineBoxes(pence(outputPence), pence(outputPence + netPence), netPence * 9, (outputPence + netPence) * 5);
}

function createNineBoxes(outputTax: Pence, inputTax: Pence, salesPence: number, purchasesPence: number): NineBoxes {
  const noPounds = 0 as WholePounds;
  return {
    box1: outputTax,
    box2: ZERO,
    box3: outputTax,
    box4: inputTax,
    box5: pence(Math.abs(outputTax - inputTax)),
    box6: toWholePounds(pence(salesPence), 'half-away'),
    box7: toWholePounds(pence(purchasesPence), 'half-away'),
    box8: noPounds,
    box9: noPounds,
  };
}

/**
 * Returns a pseudo-random number from 0 to 1, always the same for the same trader and index, so that a restarted sandbox has the same data.
 */
export function getVariation(vrn: string, index: number): number {
  let state = (Number(vrn) + index * 2_654_435_761) % 4_294_967_296;
  for (let round = 0; round < 3; round += 1) state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
  return state / 4_294_967_296;
}
