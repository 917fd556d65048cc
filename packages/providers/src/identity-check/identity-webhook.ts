/** The signature of identity check webhooks: created by the simulator, checked by the client. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '@portal/domain/app-error.ts';
import { toEpochMs, type Clock } from '@portal/domain/clock.ts';
import type { ReceivedIdentityWebhook } from './identity-check-port.ts';
import { SIGNATURE_HEADER } from './identity-check-wire.ts';

/** Rejects signatures that are too old or too far ahead, so that a captured webhook can't be replayed. */
export const TOLERANCE_SECONDS = 300;

/** Returns the header value for a body; `seconds` since 1970. */
export function signIdentityWebhook(secret: string, seconds: number, body: string): string {
  return `t=${seconds},v1=${computeMac(secret, seconds, body).toString('hex')}`;
}

/**
 * Returns the body as text if the signature and time are valid; otherwise throws AppError `unauthenticated`. Accepts any of the secrets,
 * because there are two while the secret is being changed.
 */
export function readSignedBody(webhook: ReceivedIdentityWebhook, secrets: readonly string[], clock: Clock): string {
  const header = findHeader(webhook.headers);
  if (header === undefined) throw createUnauthenticatedError('The request has no Identity-Signature header.');
  const { seconds, macs } = parseHeader(header);
  if (seconds === undefined || macs.length === 0) throw createUnauthenticatedError('The Identity-Signature can’t be read.');
  const body = decode(webhook.rawBody);
  const expectedMacs = secrets.map((secret) => computeMac(secret, seconds, body));
  const isValid = macs.some((mac) => expectedMacs.some((candidate) => candidate.length === mac.length && timingSafeEqual(candidate, mac)));
  if (!isValid) throw createUnauthenticatedError('The signature doesn’t match the request.');
  const ageSeconds = Math.abs(toEpochMs(clock.now()) / 1000 - seconds);
  if (ageSeconds > TOLERANCE_SECONDS)
    throw createUnauthenticatedError('The signature’s timestamp is more than five minutes from the current time.');
  return body;
}

function computeMac(secret: string, seconds: number, body: string): Buffer {
  return createHmac('sha256', secret).update(`${seconds}.${body}`, 'utf8').digest();
}

function findHeader(headers: ReceivedIdentityWebhook['headers']): string | undefined {
  const signatureHeader = Object.entries(headers).find(([name]) => name.toLowerCase() === SIGNATURE_HEADER)?.[1];
  return typeof signatureHeader === 'string' ? signatureHeader : undefined;
}

function parseHeader(header: string): { seconds: number | undefined; macs: Buffer[] } {
  const parts = header.split(',', 10).map((part) => part.trim());
  const time = parts.map((part) => /^t=(\d{1,12})$/.exec(part)?.[1]).find((found) => found !== undefined);
  const macs = parts.map((part) => /^v1=([0-9a-f]{64})$/.exec(part)?.[1]).filter((found) => found !== undefined);
  return { seconds: time === undefined ? undefined : Number(time), macs: macs.map((mac) => Buffer.from(mac, 'hex')) };
}

function decode(body: string | Uint8Array): string {
  if (typeof body === 'string') return body;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch (error) {
    throw createUnauthenticatedError('The body is not UTF-8.', error);
  }
}

function createUnauthenticatedError(reason: string, cause?: unknown): AppError {
  return new AppError('unauthenticated', 'identity.webhook_not_signed', reason, undefined, cause);
}
