/**
 * Intuit's responses (docs/reference/providers.md section 2). The ID token doesn't include an email address, and userinfo uses camelCase
 * instead of OpenID Connect's names.
 */
import { z } from 'zod';

export const INTUIT_ISSUER = 'https://oauth.platform.intuit.com/op/v1';

export const intuitClaimsWire = z.object({
  iss: z.literal(INTUIT_ISSUER),
  sub: z.string().min(1),
  aud: z.array(z.string()).min(1),
  auth_time: z.number().optional(),
  /** The company ID if accounting was granted; not always present. */
  realmid: z.string().optional(),
});
export type IntuitClaimsWire = z.infer<typeof intuitClaimsWire>;

export const intuitUserinfoWire = z.object({
  sub: z.string().min(1),
  email: z.string().optional(),
  emailVerified: z.boolean().optional(),
  givenName: z.string().optional(),
  familyName: z.string().optional(),
});
export type IntuitUserinfoWire = z.infer<typeof intuitUserinfoWire>;

/** Token response fields beyond OAuth's. The absolute expiry is sent only on request, with the header below. */
export const intuitTokenWire = z.object({
  x_refresh_token_expires_in: z.number(),
  x_refresh_token_hard_expires_in: z.number().optional(),
});
export type IntuitTokenWire = z.infer<typeof intuitTokenWire>;

export const HARD_EXPIRY_HEADER = 'x-include-refresh-token-hard-expires-in';

export const INTUIT_ACCOUNTING_SCOPE = 'com.intuit.quickbooks.accounting';

/** A company ID is a number of about 20 digits. Anything else must not be used in a URL. */
export const realmIdWire = z.string().regex(/^\d{1,30}$/);
