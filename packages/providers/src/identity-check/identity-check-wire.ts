/**
 * The portal's own API definition, to be mapped to the chosen vendor. No real provider implements it; the client and the simulator do, so
 * that everything around the check can be built and tested. Choosing a vendor replaces this file, the client and the simulator;
 * `identity-check-port.ts` stays.
 *
 * - `POST {apiUrl}/v1/checks` with `Authorization: Bearer KEY` and `startCheckWire` -> 201 `checkWire` with `url`. The same `reference`
 * with the same details again -> 200 and the same check; with other details -> 409 `reference_used`.
 * - `GET {apiUrl}/v1/checks/{id}` -> 200 `checkWire` without `url`; unknown -> 404 `check_not_found`.
 * - Errors: `{error:{code,message,field?}}`; 400 `invalid_request`, 401 `unauthorized`, 429 `too_many_requests` with Retry-After, 500
 * `server_error`.
 * - The user opens `url`, has at most three attempts, and returns to `return_url` with `check_id` added; the query contains no result.
 * - A check expires (`expired`) seven days after it was created. The provider's staff settle `needs_review`.
 * - Webhook: a POST of `eventWire` for every decided, settled or expired check, signed with `Identity-Signature: t=SECONDS,v1=HEX`, where
 * HEX is the HMAC-SHA256 of `SECONDS.BODY` with the webhook secret. There may be several `v1` while the secret is being changed. Retried
 * with increasing delays for 72 hours until acknowledged with 2xx, each time with a new signature. Receivers reject signatures older than
 * five minutes.
 */
import { IDENTITY_CHECK_STATUSES } from '@portal/domain/advances/advance-statuses.ts';
import { z } from 'zod';

export const SIGNATURE_HEADER = 'identity-signature';
export const MAX_TRIES = 3;

const instantSchema = z.iso.datetime();

export const startCheckWire = z.object({
  reference: z.string().min(1).max(100),
  full_name: z.string().trim().min(1).max(200),
  email: z.email().max(254),
  return_url: z.url({ protocol: /^https?$/ }).max(2_000),
});
export type StartCheckWire = z.infer<typeof startCheckWire>;

export const checkWire = z.object({
  id: z.string().min(1),
  reference: z.string(),
  status: z.enum(IDENTITY_CHECK_STATUSES),
  reasons: z.array(z.string()),
  tries_left: z.int().min(0),
  created_at: instantSchema,
  completed_at: instantSchema.nullable(),
  expires_at: instantSchema,
  /** From the document in a passed check; null if there is none or the provider couldn't read it. */
  date_of_birth: z.iso.date().nullish(),
});
export type CheckWire = z.infer<typeof checkWire>;

export const startedCheckWire = checkWire.extend({ url: z.url({ protocol: /^https?$/ }) });

export const eventWire = z.object({
  id: z.string().min(1),
  type: z.enum(['check.completed', 'check.expired']),
  created_at: instantSchema,
  check: checkWire,
});
export type EventWire = z.infer<typeof eventWire>;

export const faultWire = z.object({ error: z.object({ code: z.string(), message: z.string(), field: z.string().optional() }) });
