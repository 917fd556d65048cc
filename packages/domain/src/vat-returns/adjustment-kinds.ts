/** `manual`: entered by a user. `error_correction`: the net error of earlier returns, always equal to the corrections that are included. */
export const ADJUSTMENT_KINDS = ['manual', 'error_correction'] as const;
export type AdjustmentKind = (typeof ADJUSTMENT_KINDS)[number];

/** The length of a reason, in characters. HMRC can ask for it for six years (VAT Notice 700/21). */
export const ADJUSTMENT_REASON_LENGTH = { min: 5, max: 500 } as const;
