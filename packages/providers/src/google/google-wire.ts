/** What Google sends in an id_token (developers.google.com/identity/openid-connect; FACTS 4). `email` and `profile` scopes bring the rest. */
import { z } from 'zod';

export const googleClaimsWire = z.object({
  iss: z.literal('https://accounts.google.com'),
  sub: z.string().min(1),
  email: z.string().optional(),
  email_verified: z.boolean().optional(),
  name: z.string().optional(),
  given_name: z.string().optional(),
  family_name: z.string().optional(),
  /** The Workspace domain of the account. */
  hd: z.string().optional(),
});
export type GoogleClaimsWire = z.infer<typeof googleClaimsWire>;

/** Google grants `email` and `profile` under longer names. */
export const GOOGLE_SCOPE_NAMES: Readonly<Record<string, string>> = {
  email: 'https://www.googleapis.com/auth/userinfo.email',
  profile: 'https://www.googleapis.com/auth/userinfo.profile',
};
