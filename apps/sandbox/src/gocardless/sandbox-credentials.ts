/** Credentials that GoCardless would issue: the access token and the webhook secret. */
export const SANDBOX_GOCARDLESS = {
  accessToken: 'sandbox-gocardless-token',
  webhookSecret: 'sandbox-gocardless-webhook-secret',
} as const;
