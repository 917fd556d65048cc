/** Passkeys (WebAuthn). The library is loaded on demand. */
import { securityApi } from '@portal/contract/security.ts';
import type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { apiRequest } from './api.ts';
import { ApiError } from './problem-to-error.ts';

export const supportsPasskeys = (): boolean => typeof globalThis.PublicKeyCredential === 'function';

/** Returns the message for a failed passkey operation. Browsers deliberately give few details, so that sites can't probe for passkeys. */
export function getPasskeyErrorMessage(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'AbortError')
    return 'You cancelled, it took too long, or this device has no passkey for your account. Try again or log in another way.';
  if (name === 'InvalidStateError') return 'This device already has a passkey for your account.';
  if (name === 'SecurityError') return 'Passkeys don’t work at this web address. Log in another way.';
  if (name === 'NotSupportedError' || name === 'ConstraintError')
    return 'This device can’t create a passkey we support. Use another device.';
  return 'Your browser couldn’t use a passkey. Log in another way.';
}

/** The device's response to a challenge, not yet verified by the server. */
export type PasskeyAssertion = { readonly challenge_id: string; readonly response: Record<string, unknown> };

export async function getPasskeyAssertion(): Promise<PasskeyAssertion> {
  const { challenge_id, options } = await apiRequest(securityApi.passkeySignInOptions, {});
  const { startAuthentication } = await import('@simplewebauthn/browser');
  // The contract passes WebAuthn's JSON through unchanged; the browser validates it.
  const response = await startAuthentication({ optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON });
  return { challenge_id, response: { ...response } };
}

export async function signInWithPasskey() {
  return apiRequest(securityApi.passkeySignIn, await getPasskeyAssertion());
}

/** Confirms with a passkey during a session, before an action that needs a second factor. */
export async function confirmWithPasskey(): Promise<void> {
  await apiRequest(securityApi.confirmFactor, { passkey: await getPasskeyAssertion() });
}

export async function addPasskey(name: string): Promise<void> {
  const { challenge_id, options } = await apiRequest(securityApi.startPasskeyRegistration, {});
  const { startRegistration } = await import('@simplewebauthn/browser');
  const response = await startRegistration({ optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON });
  await apiRequest(securityApi.addPasskey, { challenge_id, name, response: { ...response } });
}
