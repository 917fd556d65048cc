/**
 * The user's decision about an error in a filed return. `return`: corrected on a later return. `reported`: reported to HMRC separately.
 * `left_out`: not an error, for example a row that the filed return contains in another form.
 */
export const CORRECTION_DECISIONS = ['return', 'reported', 'left_out'] as const;
export type CorrectionRoute = (typeof CORRECTION_DECISIONS)[number];

/** HMRC's guidance on errors that must be reported separately, online or with form VAT652 (VAT Notice 700/45 section 4). */
export const REPORT_ERRORS_URL = 'https://www.gov.uk/guidance/check-if-you-need-to-report-errors-in-your-vat-return';

/**
 * `added`: not in the filed return. `changed`: filed with a different amount, date or treatment. `removed`: filed, but no longer in the
 * books.
 */
export const LATE_ROW_KINDS = ['added', 'changed', 'removed'] as const;
export type LateRowKind = (typeof LATE_ROW_KINDS)[number];
