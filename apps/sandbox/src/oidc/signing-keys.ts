/** The simulator's signing keys. They are stored, so they survive a restart. */
import { createPrivateKey, generateKeyPair, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { SignJWT, type JWK, type JWTPayload } from 'jose';
import type { SigningKey } from './identity-records.ts';
import type { IdentityContext } from './provider-profile.ts';

const createKeyPair = promisify(generateKeyPair);

/** Reuses the keys from before a reset, because clients cache the published set for some minutes. */
const knownKeys = new WeakMap<IdentityContext['profile'], Promise<readonly SigningKey[]>>();

export async function listSigningKeys(context: IdentityContext): Promise<readonly SigningKey[]> {
  const { profile, records } = context;
  const storedKeys = records.keys.list().map(({ document }) => document);
  if (storedKeys.length >= profile.keys.length) {
    knownKeys.set(profile, Promise.resolve(storedKeys));
    return storedKeys;
  }
  const createdKeys = knownKeys.get(profile) ?? Promise.all(profile.keys.map(createSigningKey));
  knownKeys.set(profile, createdKeys);
  const keys = await createdKeys;
  for (const key of keys) records.keys.put(key.name, key);
  return keys;
}

async function createSigningKey({ name, issuer }: ProviderProfileKey): Promise<SigningKey> {
  const { privateKey } = await createKeyPair('rsa', { modulusLength: 2048 });
  const privateJwk = privateKey.export({ format: 'jwk' }) as JWK;
  return { name, kid: randomUUID().replaceAll('-', ''), privateJwk, ...(issuer === undefined ? {} : { issuer }) };
}
type ProviderProfileKey = IdentityContext['profile']['keys'][number];

/** Returns the public keys as a JWK Set. */
export async function getPublicKeySet(context: IdentityContext): Promise<{ keys: object[] }> {
  const keys = await listSigningKeys(context);
  return {
    keys: keys.map(({ kid, issuer, privateJwk: { kty, n, e } }) => ({
      kty,
      n,
      e,
      use: 'sig',
      alg: 'RS256',
      kid,
      ...(issuer === undefined ? {} : { issuer }),
    })),
  };
}

export async function sign(context: IdentityContext, keyName: string | undefined, claims: JWTPayload): Promise<string> {
  const keys = await listSigningKeys(context);
  const key = keys.find(({ name }) => name === keyName) ?? keys[0];
  if (!key) throw new Error(`The ${context.profile.provider} simulator has no key.`);
  return signWith(key, claims);
}

export function signWith(key: SigningKey, claims: JWTPayload): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid: key.kid, typ: 'JWT' })
    .sign(createPrivateKey({ key: key.privateJwk as Record<string, string>, format: 'jwk' }));
}
