/** Credentials that Modulr would issue, and the account from which payouts are made. */
export const SANDBOX_MODULR = {
  keyId: 'sandbox-modulr-key',
  secret: 'sandbox-modulr-secret',
  paymentAccountId: 'A1100ABCDE',
} as const;
