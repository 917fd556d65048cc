/**
 * Fraud prevention headers for a refresh that isn't started by a user (HMRC, fraud prevention guide 3.3, BATCH_PROCESS_DIRECT;
 * docs/reference/hmrc.md section 9).
 */

/** The headers for this method that a web product's scheduled job can fill in truthfully. It has no device, network or user to describe. */
export const BATCH_HEADERS = [
  'Gov-Client-Connection-Method',
  'Gov-Client-Timezone',
  'Gov-Vendor-Product-Name',
  'Gov-Vendor-Public-IP',
  'Gov-Vendor-Version',
] as const;
export type BatchHeader = (typeof BATCH_HEADERS)[number];
