/**
 * Claims in Xero's ID token (docs/reference/providers.md section 1; xero-node, XeroClient.ts). They don't state whether the email address
 * is verified.
 */
import { z } from 'zod';

export const XERO_ISSUER = 'https://identity.xero.com';

export const xeroClaimsWire = z.object({
  iss: z.literal(XERO_ISSUER),
  sub: z.string().min(1),
  xero_userid: z.string(),
  global_session_id: z.string(),
  preferred_username: z.string().optional(),
  email: z.string().optional(),
  given_name: z.string().optional(),
  family_name: z.string().optional(),
});
export type XeroClaimsWire = z.infer<typeof xeroClaimsWire>;
