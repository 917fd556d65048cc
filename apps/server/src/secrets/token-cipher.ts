/**
 * Encrypts secrets at rest with AES-256-GCM. The first key encrypts and all keys decrypt, so to rotate keys, add a new one at the front. A
 * value can be decrypted only for the place it was sealed for (its additional authenticated data, NIST SP 800-38D), so a value copied to
 * another row is useless.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** Otherwise, Node accepts a tag truncated to 4 bytes (nodejs.org/api/crypto.html, `authTagLength`). */
const TAG_OPTIONS = { authTagLength: 16 } as const;

/** Earlier versions sealed every queued email for this place. To be removed in the next version (docs/decisions/0103). */
export const UNBOUND_EMAIL = 'email';

/** The kind of sealed value, with the owner of its row. */
export type SealContext =
  | `${'hmrc_access_token' | 'hmrc_refresh_token' | 'mailbox_access_token' | 'mailbox_refresh_token' | 'books_access_token' | 'books_refresh_token' | 'fraud_headers'}:${string}`
  | `${'authenticator' | 'operator_account' | 'email'}:${string}`
  | `${'payout_order' | 'refund_order' | 'webhook_secret' | 'client_email'}:${string}:${string}`
  | `${'bank_account' | 'advance_terms' | 'advance_approvals' | 'payout_release' | 'approval_request'}:${string}:${string}`
  | typeof UNBOUND_EMAIL;

export type TokenCipher = {
  seal(plainText: string, sealContext: SealContext): string;
  /** Throws if the value was changed, or was sealed for another place. */
  open(sealedValue: string, sealContext: SealContext): string;
  /** Returns false if the value was encrypted with an older key or by an older version, and should be encrypted again. */
  isNewest(sealedValue: string): boolean;
  /** The configured keys, newest first. Each value starts with the id of the key that sealed it: eight characters of a hash. */
  readonly keyIds: readonly string[];
};

/** Marks a value as bound to its place. Values from earlier versions are bound when they are next encrypted. */
export const BOUND_SUFFIX = '.bound';

/** `keys`: 32 bytes each, base64, newest first. */
export function createTokenCipher(keys: readonly string[]): TokenCipher {
  const decodedKeys = keys.map((key) => {
    const bytes = Buffer.from(key, 'base64');
    if (bytes.length !== 32) throw new RangeError('a token encryption key must have 32 bytes in base64');
    return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes };
  });
  const [newestKey] = decodedKeys;
  if (!newestKey) throw new RangeError('at least one token encryption key is required');
  return {
    keyIds: decodedKeys.map(({ id }) => id),
    isNewest: (sealedValue) => sealedValue.startsWith(`${newestKey.id}.`) && sealedValue.endsWith(BOUND_SUFFIX),
    seal: (plainText, place) => {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', newestKey.bytes, nonce, TAG_OPTIONS);
      cipher.setAAD(Buffer.from(place));
      const body = Buffer.concat([cipher.update(plainText, 'utf8'), cipher.final()]);
      const parts = [newestKey.id, nonce.toString('base64url'), cipher.getAuthTag().toString('base64url'), body.toString('base64url')];
      return `${parts.join('.')}${BOUND_SUFFIX}`;
    },
    open: (sealedValue, place) => {
      const [id, nonce = '', tag = '', body = ''] = sealedValue.split('.');
      const key = decodedKeys.find((candidate) => candidate.id === id);
      if (!key) throw new Error('a stored token was encrypted with a key that is no longer configured');
      const decipher = createDecipheriv('aes-256-gcm', key.bytes, Buffer.from(nonce, 'base64url'), TAG_OPTIONS);
      if (sealedValue.endsWith(BOUND_SUFFIX)) decipher.setAAD(Buffer.from(place));
      decipher.setAuthTag(Buffer.from(tag, 'base64url'));
      return decipher.update(Buffer.from(body, 'base64url'), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}
