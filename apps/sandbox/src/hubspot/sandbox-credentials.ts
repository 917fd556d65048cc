/** Credentials that HubSpot's settings would issue: a private app's token, and the hub ID for the loader's URL. */
export const SANDBOX_HUBSPOT = { accessToken: 'sandbox-hubspot-private-app-token', hubId: '139847265' } as const;
