/** The REST key that Companies House's developer hub would issue. */
export const SANDBOX_COMPANIES_HOUSE = { apiKey: 'sandbox-companies-house-key' } as const;
