/** Shapes as Twilio Verify v2 sends them (twilio-oai, `verify.v2.service.verification` and `verification_check`); fields that nobody reads are left out. */
import { z } from 'zod';

/** The statuses of a verification; Twilio may add others. */
export const VERIFICATION_STATUSES = ['pending', 'approved', 'canceled', 'max_attempts_reached', 'deleted', 'failed', 'expired'] as const;
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number];

export const verificationWire = z.object({ sid: z.string(), to: z.string(), status: z.string() });

export const verificationCheckWire = z.object({ sid: z.string(), status: z.string(), valid: z.boolean() });

/** Every refusal of the API. `code` is Twilio's own, from twilio.com/docs/api/errors. */
export const twilioErrorWire = z.object({
  code: z.int(),
  message: z.string(),
  more_info: z.string().optional(),
  status: z.int().optional(),
});

/** The codes that mean something to us. Authority: twilio.com/docs/api/errors/<code>. */
export const TWILIO_CODES = {
  notFound: 20404,
  badCredentials: 20003,
  tooManyRequests: 20429,
  serverError: 20500,
  invalidParameter: 60200,
  maxChecks: 60202,
  maxSends: 60203,
} as const;
