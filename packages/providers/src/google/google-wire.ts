/** Claims in a Google ID token (developers.google.com/identity/openid-connect). The scopes `email` and `profile` add the optional ones. */
import { z } from 'zod';

export const googleClaimsWire = z.object({
  iss: z.literal('https://accounts.google.com'),
  sub: z.string().min(1),
  email: z.string().optional(),
  email_verified: z.boolean().optional(),
  name: z.string().optional(),
  given_name: z.string().optional(),
  family_name: z.string().optional(),
  /** The account's Google Workspace domain. */
  hd: z.string().optional(),
});
export type GoogleClaimsWire = z.infer<typeof googleClaimsWire>;

/** Google returns the scopes `email` and `profile` under these longer names. */
export const GOOGLE_SCOPE_NAMES: Readonly<Record<string, string>> = {
  email: 'https://www.googleapis.com/auth/userinfo.email',
  profile: 'https://www.googleapis.com/auth/userinfo.profile',
};
