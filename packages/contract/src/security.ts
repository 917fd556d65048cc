/**
 * Account security: password reset, second factors, passkeys, sessions and linked sign-in methods (docs/product/decisions.md section 6).
 */
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { createCodeScalar, createNameScalar, doneOutput, emailScalar, instantScalar } from './scalars.ts';
import { newPassword, signedInOutput } from './sign-in-schemas.ts';

/** Providers that a user can sign in with. HMRC works only for a company that is already linked. */
export const SIGN_IN_PROVIDERS = ['google', 'microsoft', 'xero', 'intuit', 'freeagent', 'hmrc'] as const;
export type SignInProviderName = (typeof SIGN_IN_PROVIDERS)[number];

const linkToken = z.string().check(z.minLength(1), z.maxLength(200));

/** Options and responses of the browser's credential API; WebAuthn defines their shapes. */
const webAuthnJson = z.record(z.string(), z.unknown());

export const securityApi = {
  requestPasswordReset: endpoint({
    method: 'POST',
    path: '/password-reset-request',
    access: 'public',
    summary: 'Email a password reset link. The response is the same for unknown email addresses.',
    input: z.object({ email: emailScalar }),
    output: z.object({ sent_to: z.string() }),
  }),
  resetPassword: endpoint({
    method: 'POST',
    path: '/password-reset',
    access: 'public',
    summary: 'Set a new password using an emailed link, and end all of the account’s sessions',
    input: z.object({ token: linkToken, password: newPassword }),
    output: doneOutput,
  }),
  completeSecondFactor: endpoint({
    method: 'POST',
    path: '/v2/auth/second-factor',
    access: 'public',
    summary: 'Complete a sign-in with an authenticator or recovery code',
    input: z.object({
      challenge: z.string().check(z.minLength(1), z.maxLength(200)),
      code: z.string().check(z.trim(), z.minLength(6, 'Enter the code'), z.maxLength(40, 'Enter the code')),
    }),
    output: signedInOutput,
  }),
  passkeySignInOptions: endpoint({
    method: 'POST',
    path: '/v2/auth/passkey/options',
    access: 'public',
    summary: 'Start a sign-in with a passkey',
    input: z.object({}),
    output: z.object({ challenge_id: z.string(), options: webAuthnJson }),
  }),
  passkeySignIn: endpoint({
    method: 'POST',
    path: '/v2/auth/passkey',
    access: 'public',
    summary: 'Sign in with a passkey',
    input: z.object({ challenge_id: z.string().check(z.maxLength(200)), response: webAuthnJson }),
    output: signedInOutput,
  }),
  get: endpoint({
    method: 'GET',
    path: '/v2/security',
    access: 'signed_in',
    summary: 'Get the user’s sign-in methods, second factors and sessions',
    input: z.object({}),
    output: z.object({
      email: z.string(),
      email_verified: z.boolean(),
      /** A new email address whose links haven't been confirmed yet. */
      email_change: z.nullable(
        z.object({ new_email: z.string(), old_confirmed: z.boolean(), new_confirmed: z.boolean(), expires_at: instantScalar }),
      ),
      full_name: z.string(),
      phone: z.nullable(z.string()),
      phone_verified: z.boolean(),
      has_password: z.boolean(),
      authenticator: z.nullable(z.object({ confirmed_at: instantScalar, recovery_codes_left: z.int() })),
      passkeys: z.array(
        z.object({ passkey_id: z.string(), name: z.string(), created_at: instantScalar, last_used_at: z.nullable(instantScalar) }),
      ),
      linked: z.array(z.object({ provider: z.enum(SIGN_IN_PROVIDERS), email: z.nullable(z.string()), linked_at: instantScalar })),
      sessions: z.array(
        z.object({
          session_id: z.string(),
          is_this_one: z.boolean(),
          device: z.string(),
          ip: z.string(),
          created_at: instantScalar,
          last_seen_at: instantScalar,
        }),
      ),
    }),
  }),
  confirmFactor: endpoint({
    method: 'POST',
    path: '/v2/auth/confirm-factor',
    access: 'signed_in',
    summary:
      'Confirm the user’s identity with the strongest method they have: a passkey, authenticator or recovery code, otherwise the password, otherwise an emailed code. Operators’ decisions and changes to sign-in methods require this in the last ten minutes.',
    input: z.object({
      code: z.optional(z.string().check(z.trim(), z.minLength(6, 'Enter the code'), z.maxLength(40, 'Enter the code'))),
      passkey: z.optional(z.object({ challenge_id: z.string().check(z.maxLength(200)), response: webAuthnJson })),
      password: z.optional(z.string().check(z.minLength(1, 'Enter your password'), z.maxLength(200, 'Use at most 200 characters'))),
      emailed_code: z.optional(z.string().check(z.trim(), z.minLength(6, 'Enter the code'), z.maxLength(20, 'Enter the code'))),
      emailed_code_id: z.optional(z.string().check(z.maxLength(200))),
    }),
    output: doneOutput,
  }),
  emailConfirmationCode: endpoint({
    method: 'POST',
    path: '/v2/security/code',
    access: 'signed_in',
    summary: 'Email the user a code to confirm their identity',
    input: z.object({}),
    output: z.object({ emailed_code_id: z.string() }),
  }),
  checkConfirmed: endpoint({
    method: 'POST',
    path: '/v2/security/check-confirmed',
    access: 'signed_in',
    summary:
      'Succeeds if the user has confirmed their identity in the last ten minutes. Call it before sending the browser to a provider to link an account.',
    input: z.object({}),
    output: doneOutput,
  }),
  requestEmailChange: endpoint({
    method: 'POST',
    path: '/v2/security/email',
    access: 'signed_in',
    summary: 'Request a change of email address. Links are sent to the old and new email addresses, and both must be used.',
    input: z.object({ email: emailScalar }),
    output: z.object({ sent_to: z.array(z.string()) }),
  }),
  cancelEmailChange: endpoint({
    method: 'POST',
    path: '/v2/security/email/cancel',
    access: 'signed_in',
    summary: 'Cancel a pending change of email address',
    input: z.object({}),
    output: doneOutput,
  }),
  previewEmailChange: endpoint({
    method: 'POST',
    path: '/v2/auth/confirm-email/preview',
    access: 'public',
    summary: 'Preview what an emailed link would confirm about a new email address. Changes nothing.',
    input: z.object({ token: linkToken }),
    /** `mailbox`: which of the two addresses the link was sent to. */
    output: z.object({ old_email: z.string(), new_email: z.string(), mailbox: z.enum(['old', 'new']) }),
  }),
  confirmEmailChange: endpoint({
    method: 'POST',
    path: '/v2/auth/confirm-email',
    access: 'public',
    summary: 'Confirm a new email address with one of the two links. The email address changes once both have been used.',
    input: z.object({ token: linkToken }),
    output: z.object({ status: z.enum(['waiting', 'changed']), old_email: z.string(), new_email: z.string() }),
  }),
  changePassword: endpoint({
    method: 'POST',
    path: '/v2/security/password',
    access: 'signed_in',
    summary: 'Set or change the password, and end other sessions',
    input: z.object({
      current_password: z.optional(z.string().check(z.maxLength(200, 'Use at most 200 characters'))),
      new_password: newPassword,
    }),
    output: doneOutput,
  }),
  endSession: endpoint({
    method: 'POST',
    path: '/v2/security/sessions/end',
    access: 'signed_in',
    summary: 'End one of the user’s sessions, or all except the current one',
    input: z.object({ session_id: z.optional(z.string().check(z.maxLength(100))) }),
    output: doneOutput,
  }),
  startAuthenticatorSetup: endpoint({
    method: 'POST',
    path: '/v2/security/authenticator/begin',
    access: 'signed_in',
    summary: 'Create a secret for an authenticator app. It takes effect once a code confirms it.',
    input: z.object({}),
    output: z.object({ secret: z.string(), otpauth_url: z.string() }),
  }),
  confirmAuthenticator: endpoint({
    method: 'POST',
    path: '/v2/security/authenticator/confirm',
    access: 'signed_in',
    summary: 'Confirm the authenticator app with a code and return recovery codes, which are shown only once',
    input: z.object({
      code: createCodeScalar(/^\d{6}$/, 'Enter the 6-digit code from your app'),
    }),
    output: z.object({ recovery_codes: z.array(z.string()) }),
  }),
  removeAuthenticator: endpoint({
    method: 'POST',
    path: '/v2/security/authenticator/remove',
    access: 'signed_in',
    summary: 'Remove the authenticator app. Requires an authenticator or recovery code.',
    input: z.object({ code: z.string().check(z.trim(), z.minLength(6, 'Enter the code'), z.maxLength(40, 'Enter the code')) }),
    output: doneOutput,
  }),
  startPasskeyRegistration: endpoint({
    method: 'POST',
    path: '/v2/security/passkeys/begin',
    access: 'signed_in',
    summary: 'Start adding a passkey',
    input: z.object({}),
    output: z.object({ challenge_id: z.string(), options: webAuthnJson }),
  }),
  addPasskey: endpoint({
    method: 'POST',
    path: '/v2/security/passkeys',
    access: 'signed_in',
    summary: 'Add the passkey that the browser created',
    input: z.object({
      challenge_id: z.string().check(z.maxLength(200)),
      name: createNameScalar('a name for the passkey').check(z.maxLength(60, 'Use at most 60 characters')),
      response: webAuthnJson,
    }),
    output: doneOutput,
  }),
  removePasskey: endpoint({
    method: 'POST',
    path: '/v2/security/passkeys/remove',
    access: 'signed_in',
    summary: 'Remove a passkey',
    input: z.object({ passkey_id: z.string().check(z.maxLength(1400)) }),
    output: doneOutput,
  }),
  unlink: endpoint({
    method: 'POST',
    path: '/v2/security/unlink',
    access: 'signed_in',
    summary: 'Unlink a sign-in method. The last one can’t be removed.',
    input: z.object({ provider: z.enum(SIGN_IN_PROVIDERS) }),
    output: doneOutput,
  }),
};
