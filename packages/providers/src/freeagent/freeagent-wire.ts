/** FreeAgent's token and user responses. See docs/reference/providers.md section 3. */
import { z } from 'zod';

/** The API's base URL. FreeAgent doesn't have an issuer, so this URL also serves as one: user URLs start with it. */
export const FREEAGENT_API = 'https://api.freeagent.com/v2';

export const freeAgentTokenWire = z.object({
  access_token: z.string().min(1),
  token_type: z.string().regex(/^bearer$/i),
  expires_in: z.number(),
  refresh_token: z.string().min(1).optional(),
  refresh_token_expires_in: z.number().optional(),
});
export type FreeAgentTokenWire = z.infer<typeof freeAgentTokenWire>;

/** GET /v2/users/me. `url` ends in the user's number. */
export const freeAgentUserWire = z.object({
  user: z.object({
    url: z.string().regex(/^https:\/\/api\.freeagent\.com\/v2\/users\/\d+$/),
    email: z.string().optional(),
    first_name: z.string().optional(),
    last_name: z.string().optional(),
    role: z.string().optional(),
    permission_level: z.number().optional(),
  }),
});
export type FreeAgentUserWire = z.infer<typeof freeAgentUserWire>;
