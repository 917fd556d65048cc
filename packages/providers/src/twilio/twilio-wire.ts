/** Twilio Verify v2 responses (twilio-oai, `verify.v2.service.verification` and `verification_check`), without unused fields. */
import { z } from 'zod';

/** A verification's statuses; Twilio may add others. */
export const VERIFICATION_STATUSES = ['pending', 'approved', 'canceled', 'max_attempts_reached', 'deleted', 'failed', 'expired'] as const;
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number];

export const verificationWire = z.object({ sid: z.string(), to: z.string(), status: z.string() });

export const verificationCheckWire = z.object({ sid: z.string(), status: z.string(), valid: z.boolean() });

/** An error response. `code` is Twilio's own (twilio.com/docs/api/errors). */
export const twilioErrorWire = z.object({
  code: z.int(),
  message: z.string(),
  more_info: z.string().optional(),
  status: z.int().optional(),
});

/** The codes that we handle or simulate (twilio.com/docs/api/errors). */
export const TWILIO_CODES = {
  notFound: 20404,
  badCredentials: 20003,
  forbidden: 20403,
  tooManyRequests: 20429,
  serverError: 20500,
  invalidParameter: 60200,
  maxChecks: 60202,
  maxSends: 60203,
} as const;
