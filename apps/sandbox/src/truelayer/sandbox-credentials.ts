/**
 * How portal and bank double know each other in the sandbox. At the real TrueLayer the public key is uploaded in their console and
 * the rest is copied from it into the settings; here the portal makes a key pair at its first start and lays the public half where the double reads it.
 */
import { createHash, createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Client id, secret and paying account that the bank double knows. */
export const SANDBOX_TRUELAYER = {
  clientId: 'sandbox-truelayer-client',
  clientSecret: 'sandbox-truelayer-secret',
  merchantAccountId: '0f3c6e52-8a3b-4b1c-9f52-6d7f2a1e4c90',
} as const;

const PUBLIC_KEY_FILE = 'truelayer-portal-public-key.pem';
const PRIVATE_KEY_FILE = 'truelayer-portal-private-key.pem';

export type SandboxCredentials = { readonly kid: string; readonly privateKeyPem: string; readonly publicKeyPem: string };

/**
 * The portal's key pair, made once in `dir`; its public half is (again) laid into `sandboxDir`, the double's SANDBOX_DATA_DIR.
 * Several processes may call this at once: one key wins, all get it.
 */
export function ensureSandboxCredentials(dir: string, sandboxDir: string = dir): SandboxCredentials {
  mkdirSync(dir, { recursive: true });
  mkdirSync(sandboxDir, { recursive: true });
  const privateKeyPem = readOrCreate(join(dir, PRIVATE_KEY_FILE));
  const publicKeyPem = createPublicKey(privateKeyPem).export({ type: 'spki', format: 'pem' }).toString();
  writeWhole(join(sandboxDir, PUBLIC_KEY_FILE), publicKeyPem);
  return { kid: kidOf(publicKeyPem), privateKeyPem, publicKeyPem };
}

/** The portal's public key as it lies registered in the double's SANDBOX_DATA_DIR; undefined before the portal's first start. */
export function readRegisteredKey(sandboxDir: string): string | undefined {
  return readIfThere(join(sandboxDir, PUBLIC_KEY_FILE));
}

/** The key id both sides derive from the key itself; TrueLayer's console hands out a UUID. */
export function kidOf(publicKeyPem: string): string {
  const der = createPublicKey(publicKeyPem).export({ type: 'spki', format: 'der' });
  const hex = createHash('sha256').update(der).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}

function readOrCreate(file: string): string {
  const present = readIfThere(file);
  if (present !== undefined) return present;
  const { privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-521',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, privateKey, { mode: 0o600, flag: 'wx' });
  try {
    // A link is made whole or not at all, and not over an existing file: a process killed here leaves no half key, and the first of two wins.
    linkSync(draft, file);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    unlinkSync(draft);
  }
  return readFileSync(file, 'utf8');
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function writeWhole(file: string, text: string): void {
  if (readIfThere(file) === text) return;
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, text, { flag: 'wx' });
  renameSync(draft, file);
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
