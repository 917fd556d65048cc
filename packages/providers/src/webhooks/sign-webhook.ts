/** Signatures according to the Standard Webhooks specification (https://github.com/standard-webhooks/standard-webhooks). */
import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

/** Returns 32 random bytes; the specification requires 24 to 64. */
export function generateWebhookSecret(): string {
  return `${PREFIX}${randomBytes(32).toString('base64')}`;
}

export type SignedMessage = { readonly id: string; readonly timestampSeconds: number; readonly body: string };

/** Returns the value of `webhook-signature`: one signature for each secret, so that a receiver can use either one during a rotation. */
export function signWebhook({ id, timestampSeconds, body }: SignedMessage, secrets: readonly string[]): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.replace(PREFIX, ''), 'base64');
      return `v1,${createHmac('sha256', key).update(`${id}.${timestampSeconds}.${body}`).digest('base64')}`;
    })
    .join(' ');
}
