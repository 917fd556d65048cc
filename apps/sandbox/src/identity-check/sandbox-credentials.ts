/** Credentials that the identity-check provider would issue: the API key and the webhook secret. */
export const SANDBOX_IDENTITY_CHECK = {
  apiKey: 'sandbox-identity-check-key',
  webhookSecret: 'sandbox-identity-check-webhook-secret',
} as const;
