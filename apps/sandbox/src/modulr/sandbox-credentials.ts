/** Credentials that Modulr would issue, and the account that payouts are made from. */
export const SANDBOX_MODULR = {
  keyId: 'sandbox-modulr-key',
  secret: 'sandbox-modulr-secret',
  paymentAccountId: 'A1100ABCDE',
} as const;
