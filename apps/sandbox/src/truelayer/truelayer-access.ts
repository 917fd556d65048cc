/** Checks access to TrueLayer's simulator: access tokens, and signatures of requests that move money. */
import { createHash, randomBytes } from 'node:crypto';
import { toEpochMs } from '@portal/domain/clock.ts';
import { parseJson } from '@portal/providers/http/parse-json.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { extractKid, verify, type HttpMethod } from 'truelayer-signing';
import { readBodyText, readForm, requestUrl } from '../simulator/request.ts';
import type { SimulatorDeps } from '../simulator/simulator.ts';
import { TrueLayerError } from './bank-responses.ts';
import { SANDBOX_TRUELAYER, toKeyId } from './sandbox-credentials.ts';

type StoredToken = { readonly ends_at_ms: number };

const TOKEN_TTL_SECONDS = 3600;

/** POST /connect/token */
export function handleTokenRequest({ store, clock }: SimulatorDeps, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const form = readFormOrJson(request);
  if (form.get('grant_type') !== 'client_credentials') return reply.code(400).send({ error: 'unsupported_grant_type' });
  if (form.get('client_id') !== SANDBOX_TRUELAYER.clientId || form.get('client_secret') !== SANDBOX_TRUELAYER.clientSecret) {
    return reply.code(400).send({ error: 'invalid_client' });
  }
  if (!form.get('scope')?.split(' ').includes('payments')) return reply.code(400).send({ error: 'invalid_scope' });
  const now = toEpochMs(clock.now());
  const tokens = store.collection<StoredToken>('truelayer.tokens');
  for (const { key, document } of tokens.list()) if (document.ends_at_ms < now) tokens.delete(key);
  const access_token = randomBytes(32).toString('base64url');
  tokens.put(sha256(access_token), { ends_at_ms: now + TOKEN_TTL_SECONDS * 1000 });
  return reply
    .header('cache-control', 'no-store')
    .send({ access_token, expires_in: TOKEN_TTL_SECONDS, scope: 'payments', token_type: 'Bearer' });
}

/** Reads a form or JSON body, because TrueLayer's auth server accepts both. */
function readFormOrJson(request: FastifyRequest): URLSearchParams {
  if (!request.headers['content-type']?.startsWith('application/json')) return readForm(request);
  const body = parseJson(readBodyText(request));
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(typeof body === 'object' && body !== null ? body : {})) {
    if (typeof value === 'string') form.set(name, value);
  }
  return form;
}

export function assertBearerToken({ store, clock }: SimulatorDeps, request: FastifyRequest): void {
  const bearer = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (!bearer) throw new TrueLayerError('unauthenticated', 'A Bearer token must be provided in the Authorization header.');
  const token = store.collection<StoredToken>('truelayer.tokens').get(sha256(bearer));
  const isValid = token !== undefined && token.ends_at_ms > toEpochMs(clock.now());
  if (!isValid) throw new TrueLayerError('unauthenticated', 'The access token is invalid or has expired.');
}

/** Checks that the signature covers the method, path, idempotency key and body, and was made with the key that the portal uploaded. */
export function assertSignature(publicKeyPem: string, request: FastifyRequest): void {
  if (!getIdempotencyKey(request)) {
    throw new TrueLayerError('invalid-parameters', 'The request was invalid.', { 'Idempotency-Key': ['Value is required.'] });
  }
  if (!isSigned(publicKeyPem, request)) throw new TrueLayerError('unauthenticated', 'Invalid request signature.');
}

function isSigned(publicKeyPem: string, request: FastifyRequest): boolean {
  const headers = getTextHeaders(request);
  const signature = headers['tl-signature'];
  if (!signature) return false;
  try {
    if (extractKid(signature) !== toKeyId(publicKeyPem)) return false;
    verify({
      publicKeyPem,
      signature,
      method: 'POST' as HttpMethod,
      path: requestUrl(request).pathname,
      headers,
      requiredHeaders: ['Idempotency-Key'],
      body: readBodyText(request),
    });
    return true;
  } catch {
    // Omits the library's reason, because TrueLayer doesn't say why a signature is invalid.
    return false;
  }
}

export function getIdempotencyKey(request: FastifyRequest): string {
  return getTextHeaders(request)['idempotency-key'] ?? '';
}

function getTextHeaders({ headers }: FastifyRequest): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, [value].flat().join(', ')]])),
  );
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
