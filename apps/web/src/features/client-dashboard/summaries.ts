import { positionsApi } from '@portal/contract/positions.ts';

/** The endpoints that return a client's summary, by tax. */
export const SUMMARY_ENDPOINTS = {
  vat: positionsApi.vatSummary,
  paye: positionsApi.payeSummary,
  ct: positionsApi.corpTaxSummary,
  sa: positionsApi.selfAssessmentSummary,
} as const;
