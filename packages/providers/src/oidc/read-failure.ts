/** Converts openid-client's errors to ProviderErrors. Their causes contain tokens and claims, so they are dropped. */
import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import { ProviderError } from '../http/provider-error.ts';
import type { SignInProviderName } from './sign-in-port.ts';

/** `operation` is used if the error doesn't name one. Errors that don't come from the provider are returned unchanged. */
export function toProviderError(error: unknown, provider: SignInProviderName, operation: string): unknown {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ProviderError) return cause;
  }
  const facts = { provider, operation };
  if (error instanceof AuthorizationResponseError) {
    return new ProviderError('refused', { ...facts, code: error.error, ...describeText(error.error_description) });
  }
  if (error instanceof ResponseBodyError) {
    return new ProviderError('refused', { ...facts, status: error.status, code: error.error, ...describeText(error.error_description) });
  }
  if (!(error instanceof ClientError)) return error;
  // The token response is unreadable, so the code or refresh token may have been used up.
  if (error.code === 'OAUTH_PARSE_ERROR' || error.code === 'OAUTH_RESPONSE_IS_NOT_JSON') {
    return new ProviderError('unknown', { ...facts, detail: 'unreadable response' });
  }
  return new ProviderError('refused', { ...facts, code: toErrorCode(error), ...describeText(error.message) });
}

function toErrorCode(error: ClientError): string {
  return findFailedClaim(error) === 'nonce' ? 'nonce_mismatch' : 'id_token_invalid';
}

/** Returns the claim that failed, which openid-client attaches to the cause. */
function findFailedClaim(error: ClientError): string | undefined {
  for (let cause: unknown = error.cause; typeof cause === 'object' && cause !== null; cause = 'cause' in cause ? cause.cause : undefined) {
    if ('claim' in cause && typeof cause.claim === 'string') return cause.claim;
  }
  return undefined;
}

function describeText(text: string | undefined): { detail?: string } {
  return text === undefined ? {} : { detail: text.slice(0, 300) };
}
