/** What Intuit sends (FACTS 2). Its id_token holds no email address, and its userinfo speaks camelCase instead of OpenID Connect's names. */
import { z } from 'zod';

export const INTUIT_ISSUER = 'https://oauth.platform.intuit.com/op/v1';

export const intuitClaimsWire = z.object({
  iss: z.literal(INTUIT_ISSUER),
  sub: z.string().min(1),
  aud: z.array(z.string()).min(1),
  auth_time: z.number().optional(),
  /** The company's id, where accounting was granted; not always there. */
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

/** The token reply beyond OAuth's own members; the hard end comes only where the header below asks for it. */
export const intuitTokenWire = z.object({
  x_refresh_token_expires_in: z.number(),
  x_refresh_token_hard_expires_in: z.number().optional(),
});
export type IntuitTokenWire = z.infer<typeof intuitTokenWire>;

export const HARD_END_HEADER = 'x-include-refresh-token-hard-expires-in';

export const INTUIT_ACCOUNTING_SCOPE = 'com.intuit.quickbooks.accounting';

/** A company's id is a number of up to 20 digits or so; nothing else may reach an address that is built with it. */
export const realmIdWire = z.string().regex(/^\d{1,30}$/);
