import { positionsApi } from '@portal/contract/positions.ts';

/** The endpoint that returns a client's summary of each tax. */
export const SUMMARY_ENDPOINTS = {
  vat: positionsApi.vatSummary,
  paye: positionsApi.payeSummary,
  ct: positionsApi.corpTaxSummary,
  sa: positionsApi.selfAssessmentSummary,
} as const;
