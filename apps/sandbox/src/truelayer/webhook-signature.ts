/** Signs the simulator's webhooks: a detached JWS with the key published at its `jku`. */
import { createPrivateKey, generateKeyPairSync, randomUUID, sign, type JsonWebKey } from 'node:crypto';
import type { Clock } from '@portal/domain/clock.ts';
import type { SimulatorStore } from '../simulator/simulator-store.ts';

type SigningKey = { readonly kid: string; readonly privateJwk: JsonWebKey; readonly publicJwk: JsonWebKey };

type Signer = {
  readonly store: SimulatorStore;
  readonly clock: Clock;
  readonly webhookUrl: string;
  /** URL of the simulator's public keys, named in every signature. */
  readonly jwksUrl: string;
};

/** Implements TrueLayer's signing specification, because its library can't sign webhooks (it can't set `jku`). */
export function createWebhookHeaders({ store, clock, webhookUrl, jwksUrl }: Signer, body: string): Record<string, string> {
  const timestamp = clock.now().replace(/\.\d+Z$/, 'Z');
  const { kid, privateJwk } = ensureSigningKey(store);
  const header = toBase64url(
    JSON.stringify({ alg: 'ES512', kid, tl_version: '2', tl_headers: 'X-Tl-Webhook-Timestamp,Content-Type', jku: jwksUrl }),
  );
  const path = new URL(webhookUrl).pathname;
  const payload = toBase64url(`POST ${path}\nX-Tl-Webhook-Timestamp: ${timestamp}\nContent-Type: application/json\n${body}`);
  const key = createPrivateKey({ key: privateJwk, format: 'jwk' });
  const signature = sign('sha512', Buffer.from(`${header}.${payload}`), { key, dsaEncoding: 'ieee-p1363' });
  return { 'x-tl-webhook-timestamp': timestamp, 'tl-signature': `${header}..${signature.toString('base64url')}` };
}

/** Returns the JSON Web Key Set at the `jku`. */
export function getPublicKeys(store: SimulatorStore): { keys: object[] } {
  const { kid, publicJwk } = ensureSigningKey(store);
  return { keys: [{ ...publicJwk, kid, alg: 'ES512', use: 'sig' }] };
}

function ensureSigningKey(store: SimulatorStore): SigningKey {
  const keys = store.collection<SigningKey>('truelayer.webhook_key');
  const storedKeyPair = keys.get('current');
  if (storedKeyPair) return storedKeyPair;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-521' });
  const keyPair = { kid: randomUUID(), privateJwk: privateKey.export({ format: 'jwk' }), publicJwk: publicKey.export({ format: 'jwk' }) };
  keys.put('current', keyPair);
  return keyPair;
}

function toBase64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}
