/** Verification of the email address and the mobile number (docs/product/specification.md section 7.2). */
import { CODE_CHECKS } from '@portal/domain/identity/code-check.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { createCodeScalar, doneOutput } from './scalars.ts';

export const verificationApi = {
  savePhone: endpoint({
    method: 'POST',
    path: '/phone-number',
    access: 'signed_in',
    summary: 'Save the mobile number. A changed number must be verified again.',
    input: z.object({
      phone: z.string().check(z.trim(), z.minLength(1, 'Enter your mobile number'), z.maxLength(30, 'Enter your mobile number')),
    }),
    output: z.object({ phone: z.string(), verified: z.boolean() }),
  }),
  sendEmailVerification: endpoint({
    method: 'POST',
    path: '/send-email-verification',
    access: 'signed_in',
    summary: 'Email a link to verify the email address',
    input: z.object({}),
    output: doneOutput,
  }),
  sendPhoneVerification: endpoint({
    method: 'POST',
    path: '/send-phone-number-verification',
    access: 'signed_in',
    summary: 'Text a verification code to the mobile number',
    input: z.object({ phone: z.optional(z.string().check(z.trim(), z.maxLength(30, 'Use at most 30 characters'))) }),
    output: z.object({ sent_to: z.string() }),
  }),
  checkPhoneCode: endpoint({
    method: 'POST',
    path: '/send-phone-verification-code',
    access: 'signed_in',
    summary: 'Verify the mobile number with the code sent to it',
    input: z.object({
      code: createCodeScalar(/^\d{4,10}$/, 'Enter the code from the text message'),
    }),
    output: z.object({ outcome: z.enum(CODE_CHECKS) }),
  }),
  resendPhoneCode: endpoint({
    method: 'POST',
    path: '/resend-phone-number-verification-code',
    access: 'signed_in',
    summary: 'Resend the verification code',
    input: z.object({}),
    output: z.object({ sent_to: z.string() }),
  }),
};
