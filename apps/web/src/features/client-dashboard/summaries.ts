import { positionsApi } from '@portal/contract/positions.ts';

/** The call that says all of one tax of a client. */
export const SUMMARIES = {
  vat: positionsApi.vatSummary,
  paye: positionsApi.payeSummary,
  ct: positionsApi.corpTaxSummary,
  sa: positionsApi.selfAssessmentSummary,
} as const;
