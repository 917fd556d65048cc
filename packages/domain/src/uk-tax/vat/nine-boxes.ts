import { pence, type Pence } from '../../money.ts';

/** The outcome of a VAT return: repayment from HMRC, payment to HMRC, or neither. */
export const VAT_DIRECTIONS = ['repayment', 'payment', 'nil'] as const;
export type VatDirection = (typeof VAT_DIRECTIONS)[number];

/** Boxes 3 and 5, in pence, calculated from boxes 1, 2 and 4. */
export type Boxes3And5 = { readonly box3: Pence; readonly box5: Pence; readonly direction: VatDirection };

/**
 * Box 3 = box 1 + box 2; box 5 = the difference between boxes 3 and 4, never negative. If box 4 is above box 3, the return is a repayment.
 * Boxes 1, 2 and 4 may be negative.
 * Source: hmrc/vat-api VATTotalValueValidation, VATNetValueValidation; VAT Notice 700/12.
 */
export function computeBoxes3And5(boxes: { readonly box1: Pence; readonly box2: Pence; readonly box4: Pence }): Boxes3And5 {
  const box3 = pence(boxes.box1 + boxes.box2);
  const difference = box3 - boxes.box4;
  const direction = difference < 0 ? 'repayment' : difference > 0 ? 'payment' : 'nil';
  return { box3, box5: pence(difference < 0 ? -difference : difference), direction };
}

/**
 * Limits set by HMRC's API, positive or negative: boxes 1 to 4 up to 9,999,999,999,999.99, box 5 up to 99,999,999,999.99, boxes 6 to 9 up
 * to 9,999,999,999,999 pounds. Source: hmrc/vat-api SubmitReturnValidator.
 */
export const BOX_LIMITS = {
  boxes1To4: pence(999_999_999_999_999),
  box5: pence(9_999_999_999_999),
  boxes6To9Pounds: 9_999_999_999_999,
} as const;
