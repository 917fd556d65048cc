/** Test credentials as TrueLayer's console would issue them, and the portal's key pair, whose public key would be uploaded there. */
import { createHash, createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Client ID, secret and paying account of the simulated bank. */
export const SANDBOX_TRUELAYER = {
  clientId: 'sandbox-truelayer-client',
  clientSecret: 'sandbox-truelayer-secret',
  merchantAccountId: '0f3c6e52-8a3b-4b1c-9f52-6d7f2a1e4c90',
} as const;

const PRIVATE_KEY_FILE = 'truelayer-portal-private-key.pem';

export type SandboxSigningKey = { readonly kid: string; readonly privateKeyPem: string; readonly publicKeyPem: string };

/**
 * Generates the portal's key pair once in `dir` and returns it. Several processes may call this concurrently: the first key wins and all of
 * them get it.
 */
export function ensureSigningKey(dir: string): SandboxSigningKey {
  mkdirSync(dir, { recursive: true });
  const privateKeyPem = readOrCreate(join(dir, PRIVATE_KEY_FILE));
  const publicKeyPem = createPublicKey(privateKeyPem).export({ type: 'spki', format: 'pem' }).toString();
  return { kid: toKeyId(publicKeyPem), privateKeyPem, publicKeyPem };
}

/** Derives the key ID from the key, as both sides do: a UUID as in TrueLayer's console, of version 8 (RFC 9562, made from a hash). */
export function toKeyId(publicKeyPem: string): string {
  const der = createPublicKey(publicKeyPem).export({ type: 'spki', format: 'der' });
  const hex = createHash('sha256').update(der).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-');
}

function readOrCreate(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
  const { privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-521',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, privateKey, { mode: 0o600, flag: 'wx' });
  try {
    // linkSync is atomic and doesn't overwrite: a killed process doesn't leave a partial key, and the first of two processes wins.
    linkSync(draft, file);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    unlinkSync(draft);
  }
  return readFileSync(file, 'utf8');
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
