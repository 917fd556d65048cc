/** Passkeys (WebAuthn). The library is loaded on demand. */
import { securityApi } from '@portal/contract/security.ts';
import type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { apiRequest } from './api.ts';
import { ApiError } from './problem-to-error.ts';

export const supportsPasskeys = (): boolean => typeof globalThis.PublicKeyCredential === 'function';

/** Browsers give few details on purpose, so that sites can't probe for passkeys. */
export function getPasskeyErrorMessage(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'AbortError')
    return 'No passkey was used: it was cancelled, took too long, or this device has none for us. Try again, or use another way.';
  if (name === 'InvalidStateError') return 'This device already has a passkey for your account.';
  if (name === 'SecurityError') return 'Passkeys do not work at this address. Use another way to log in.';
  if (name === 'NotSupportedError' || name === 'ConstraintError')
    return 'This device cannot make a passkey that we accept. Use another device.';
  return 'The browser could not use a passkey. Use another way to log in.';
}

export async function signInWithPasskey() {
  const { challenge_id, options } = await apiRequest(securityApi.passkeySignInOptions, {});
  const { startAuthentication } = await import('@simplewebauthn/browser');
  // The contract passes WebAuthn's JSON through; the browser validates it.
  const response = await startAuthentication({ optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON });
  return apiRequest(securityApi.passkeySignIn, { challenge_id, response: { ...response } });
}

export async function addPasskey(name: string): Promise<void> {
  const { challenge_id, options } = await apiRequest(securityApi.startPasskeyRegistration, {});
  const { startRegistration } = await import('@simplewebauthn/browser');
  const response = await startRegistration({ optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON });
  await apiRequest(securityApi.addPasskey, { challenge_id, name, response: { ...response } });
}
