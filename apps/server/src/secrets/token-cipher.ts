/**
 * Encrypts providers' tokens at rest with AES-256-GCM. The first key encrypts and all keys decrypt, so a key is rotated by adding a new one
 * in front.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

export type TokenCipher = {
  seal(plain: string): string;
  open(sealed: string): string;
  /** False if an older key encrypted it and it should be encrypted again. */
  isNewest(sealed: string): boolean;
};

/** `keys`: 32 bytes each, base64, newest first. */
export function createTokenCipher(keys: readonly string[]): TokenCipher {
  const decodedKeys = keys.map((key) => {
    const bytes = Buffer.from(key, 'base64');
    if (bytes.length !== 32) throw new RangeError('a token encryption key must have 32 bytes in base64');
    return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes };
  });
  const [newest] = decodedKeys;
  if (!newest) throw new RangeError('at least one token encryption key is required');
  return {
    isNewest: (sealed) => sealed.startsWith(`${newest.id}.`),
    seal: (plain) => {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', newest.bytes, nonce);
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return [newest.id, nonce.toString('base64url'), cipher.getAuthTag().toString('base64url'), body.toString('base64url')].join('.');
    },
    open: (sealed) => {
      const [id, nonce = '', tag = '', body = ''] = sealed.split('.');
      const key = decodedKeys.find((candidate) => candidate.id === id);
      if (!key) throw new Error('a stored token was encrypted with a key that is no longer configured');
      const decipher = createDecipheriv('aes-256-gcm', key.bytes, Buffer.from(nonce, 'base64url'));
      decipher.setAuthTag(Buffer.from(tag, 'base64url'));
      return decipher.update(Buffer.from(body, 'base64url'), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}
