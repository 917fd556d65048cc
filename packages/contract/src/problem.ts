/** The format of every error response: RFC 9457, plus the members that the specification's client expects. */
import { z } from 'zod/mini';

/**
 * `message` is a sentence, or an object with one field and its reason ("company_id": "badly formed"), which clients show as "field:
 * reason".
 */
export const problemOutput = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  message: z.union([z.string(), z.record(z.string(), z.string())]),
  code: z.string(),
  request_id: z.string(),
  /** Details for the screen, such as the errors in a rejected file or the invalid field. */
  details: z.optional(z.record(z.string(), z.unknown())),
});

export type Problem = z.output<typeof problemOutput>;

/**
 * The code of a 403 that requires the user to confirm a second factor again (securityApi.confirmFactor). The request can then be repeated.
 */
export const FACTOR_NEEDED_CODE = 'identity.factor_needed';
