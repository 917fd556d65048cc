/** What the identity provider would hand out: the key for its calls and the secret of its webhooks. */
export const SANDBOX_IDENTITY_CHECK = {
  apiKey: 'sandbox-identity-check-key',
  webhookSecret: 'sandbox-identity-check-webhook-secret',
} as const;
