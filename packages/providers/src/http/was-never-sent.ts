/** A call that wasn't sent. `throttled`: other calls took precedence. */
export class CallNotSentError extends Error {
  readonly failure: 'throttled' | 'unavailable';

  constructor(failure: 'throttled' | 'unavailable', reason: string, cause?: unknown) {
    super(`The call was not sent: ${reason}`, cause === undefined ? undefined : { cause });
    this.name = 'CallNotSentError';
    this.failure = failure;
  }
}

/** Errors that occur only while connecting. */
const CONNECTION_ERROR_CODES = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);
/** Errors that occur while connecting, but also on an open connection that loses its route. */
const ROUTE_ERROR_CODES = new Set(['EHOSTUNREACH', 'ENETUNREACH']);

/**
 * The server's certificate wasn't accepted, so the connection ended before the request (OpenSSL's names, nodejs.org/api/tls.html, "X509
 * certificate error codes").
 */
const CERTIFICATE_ERROR_CODES = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REVOKED',
  'CERT_REJECTED',
  'CERT_UNTRUSTED',
  'CERT_SIGNATURE_FAILURE',
  'CERT_CHAIN_TOO_LONG',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'HOSTNAME_MISMATCH',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/**
 * Returns true if no byte of a failed request was sent: unknown host, connection refused, no route or a certificate that isn't accepted.
 * Only then is it certain that a write didn't happen.
 */
export function wasNeverSent(error: unknown): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const { code, syscall } = cause as NodeJS.ErrnoException;
    if (code === undefined) continue;
    if (CONNECTION_ERROR_CODES.has(code) || CERTIFICATE_ERROR_CODES.has(code) || (ROUTE_ERROR_CODES.has(code) && syscall === 'connect'))
      return true;
  }
  return false;
}
