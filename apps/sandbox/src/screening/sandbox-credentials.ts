/** The key that OpenSanctions would issue. */
export const SANDBOX_SCREENING = { apiKey: 'sandbox-opensanctions-key', dataset: 'default' } as const;
