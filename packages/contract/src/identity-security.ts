/** Keeping an account: password reset, second factors, passkeys, sessions, linked ways in (product.md section 6). */
import { IDENTITY_STATUSES } from '@portal/domain/advances/judge-eligibility.ts';
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { doneOutput, emailScalar, idScalar, instantScalar, nameScalar } from './scalars.ts';
import { newPassword, signedInOutput } from './sign-in-shapes.ts';

/** Providers a person can sign in with; HMRC only for a company that is linked already. */
export const SIGN_IN_PROVIDERS = ['google', 'microsoft', 'xero', 'intuit', 'freeagent', 'hmrc'] as const;
export type SignInProviderName = (typeof SIGN_IN_PROVIDERS)[number];

/** Options and answers of the browser's own credential calls; their shapes are WebAuthn's, not ours. */
const webAuthnJson = z.record(z.string(), z.unknown());

export const securityApi = {
  requestPasswordReset: endpoint({
    method: 'POST',
    path: '/password-reset-request',
    access: 'public',
    summary: 'Emails a link to set a new password. The answer never tells whether the address is known.',
    input: z.object({ email: emailScalar }),
    output: z.object({ sent_to: z.string() }),
  }),
  resetPassword: endpoint({
    method: 'POST',
    path: '/password-reset',
    access: 'public',
    summary: 'Sets a new password by an emailed link, and ends every session of the account.',
    input: z.object({ token: z.string().min(1).max(200), password: newPassword }),
    output: doneOutput,
  }),
  finishSecondFactor: endpoint({
    method: 'POST',
    path: '/v2/auth/second-factor',
    access: 'public',
    summary: 'Finishes a sign-in by an authenticator code or a recovery code.',
    input: z.object({ challenge: z.string().min(1).max(200), code: z.string().trim().min(6, 'Enter the 6 digits').max(20) }),
    output: signedInOutput,
  }),
  passkeySignInOptions: endpoint({
    method: 'POST',
    path: '/v2/auth/passkey/options',
    access: 'public',
    summary: 'Begins a sign-in by passkey.',
    input: z.object({}),
    output: z.object({ challenge_id: z.string(), options: webAuthnJson }),
  }),
  passkeySignIn: endpoint({
    method: 'POST',
    path: '/v2/auth/passkey',
    access: 'public',
    summary: 'Signs in by passkey.',
    input: z.object({ challenge_id: z.string().max(200), response: webAuthnJson }),
    output: signedInOutput,
  }),
  get: endpoint({
    method: 'GET',
    path: '/v2/security',
    access: 'signed_in',
    summary: "The person's ways in, second factors and sessions.",
    input: z.object({}),
    output: z.object({
      email: z.string(),
      email_verified: z.boolean(),
      full_name: z.string(),
      phone: z.string().nullable(),
      phone_verified: z.boolean(),
      has_password: z.boolean(),
      authenticator: z.object({ confirmed_at: instantScalar, recovery_codes_left: z.int() }).nullable(),
      passkeys: z.array(
        z.object({ passkey_id: z.string(), name: z.string(), created_at: instantScalar, last_used_at: instantScalar.nullable() }),
      ),
      linked: z.array(z.object({ provider: z.enum(SIGN_IN_PROVIDERS), email: z.string().nullable(), linked_at: instantScalar })),
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
  changePassword: endpoint({
    method: 'POST',
    path: '/v2/security/password',
    access: 'signed_in',
    summary: 'Sets or changes the password; other sessions end.',
    input: z.object({ current_password: z.string().max(200).optional(), new_password: newPassword }),
    output: doneOutput,
  }),
  endSession: endpoint({
    method: 'POST',
    path: '/v2/security/sessions/end',
    access: 'signed_in',
    summary: 'Ends one of the own sessions, or all others.',
    input: z.object({ session_id: z.string().max(100).optional() }),
    output: doneOutput,
  }),
  beginAuthenticator: endpoint({
    method: 'POST',
    path: '/v2/security/authenticator/begin',
    access: 'signed_in',
    summary: 'Makes a secret for an authenticator app; it counts once a code has confirmed it.',
    input: z.object({}),
    output: z.object({ secret: z.string(), otpauth_url: z.string() }),
  }),
  confirmAuthenticator: endpoint({
    method: 'POST',
    path: '/v2/security/authenticator/confirm',
    access: 'signed_in',
    summary: 'Confirms the authenticator app by a code, and gives recovery codes, shown once.',
    input: z.object({
      code: z
        .string()
        .trim()
        .regex(/^\d{6}$/, 'Enter the 6 digits of the app'),
    }),
    output: z.object({ recovery_codes: z.array(z.string()) }),
  }),
  removeAuthenticator: endpoint({
    method: 'POST',
    path: '/v2/security/authenticator/remove',
    access: 'signed_in',
    summary: 'Removes the authenticator app; needs one of its codes or a recovery code.',
    input: z.object({ code: z.string().trim().min(6).max(20) }),
    output: doneOutput,
  }),
  beginPasskey: endpoint({
    method: 'POST',
    path: '/v2/security/passkeys/begin',
    access: 'signed_in',
    summary: 'Begins adding a passkey.',
    input: z.object({}),
    output: z.object({ challenge_id: z.string(), options: webAuthnJson }),
  }),
  addPasskey: endpoint({
    method: 'POST',
    path: '/v2/security/passkeys',
    access: 'signed_in',
    summary: 'Adds the passkey that the browser made.',
    input: z.object({
      challenge_id: z.string().max(200),
      name: nameScalar('a name for the passkey').max(60, 'Use at most 60 characters'),
      response: webAuthnJson,
    }),
    output: doneOutput,
  }),
  removePasskey: endpoint({
    method: 'POST',
    path: '/v2/security/passkeys/remove',
    access: 'signed_in',
    summary: 'Removes a passkey.',
    input: z.object({ passkey_id: z.string().max(1400) }),
    output: doneOutput,
  }),
  unlink: endpoint({
    method: 'POST',
    path: '/v2/security/unlink',
    access: 'signed_in',
    summary: 'Removes a linked way in; the last one cannot be removed.',
    input: z.object({ provider: z.enum(SIGN_IN_PROVIDERS) }),
    output: doneOutput,
  }),
};

export const verificationApi = {
  savePhone: endpoint({
    method: 'POST',
    path: '/phone-number',
    access: 'signed_in',
    summary: 'Keeps the mobile number, normalised; a changed one must be verified again.',
    input: z.object({ phone: z.string().trim().min(1, 'Enter your mobile number').max(30, 'Enter your mobile number') }),
    output: z.object({ phone: z.string(), verified: z.boolean() }),
  }),
  sendEmailVerification: endpoint({
    method: 'POST',
    path: '/send-email-verification',
    access: 'signed_in',
    summary: 'Emails a link that proves the address.',
    input: z.object({}),
    output: doneOutput,
  }),
  sendPhoneVerification: endpoint({
    method: 'POST',
    path: '/send-phone-number-verification',
    access: 'signed_in',
    summary: 'Sends a code to the mobile number.',
    input: z.object({ phone: z.string().trim().max(30).optional() }),
    output: z.object({ sent_to: z.string() }),
  }),
  checkPhoneCode: endpoint({
    method: 'POST',
    path: '/send-phone-verification-code',
    access: 'signed_in',
    summary: 'Checks the code that was sent to the mobile number.',
    input: z.object({
      code: z
        .string()
        .trim()
        .regex(/^\d{4,10}$/, 'Enter the digits of the code'),
    }),
    output: z.object({ outcome: z.enum(['approved', 'wrong_code', 'expired', 'too_many_attempts']) }),
  }),
  resendPhoneCode: endpoint({
    method: 'POST',
    path: '/resend-phone-number-verification-code',
    access: 'signed_in',
    summary: 'Sends the code again.',
    input: z.object({}),
    output: z.object({ sent_to: z.string() }),
  }),
};

export const companyLookUpApi = {
  search: endpoint({
    method: 'GET',
    path: '/company-search',
    access: 'signed_in',
    summary: 'Companies of Companies House by name or number.',
    input: z.object({ keyword: z.string().trim().min(2, 'Type at least 2 characters').max(160) }),
    output: z.object({
      companies: z.array(
        z.object({
          company_number: z.string(),
          name: z.string(),
          status: z.string(),
          type: z.string(),
          address: z.string(),
          incorporated_on: z.string().nullable(),
        }),
      ),
    }),
  }),
  chatVisitor: endpoint({
    method: 'GET',
    path: '/chat-visitor-identification',
    access: 'signed_in',
    summary: "A token that names the signed-in person to the chat; refused for any other address than the session's own.",
    input: z.object({ email: emailScalar }),
    output: z.object({ data: z.object({ token: z.string(), email: z.string() }) }),
  }),
};

/** The identity check of a company's owner, at a provider behind our own port. */
export const identityCheckApi = {
  find: endpoint({
    method: 'GET',
    path: '/instant-vat/identity-check',
    access: 'signed_in',
    summary: "Where the person's identity check stands.",
    input: z.object({}),
    output: z.object({
      status: z.enum(IDENTITY_STATUSES),
      reasons: z.array(z.string()),
      may_begin: z.boolean(),
      completed_at: instantScalar.nullable(),
      attempts_left: z.int(),
    }),
  }),
  begin: endpoint({
    method: 'POST',
    path: '/instant-vat/identity-check/begin',
    access: 'signed_in',
    summary: 'Begins an identity check; the browser goes to `url`.',
    input: z.object({}),
    output: z.object({ check_id: idScalar, url: z.string() }),
  }),
};
