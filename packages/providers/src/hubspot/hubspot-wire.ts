/** Shapes as HubSpot sends and takes them (HubSpot-public-api-spec-collection, conversations visitor identification). */
import { z } from 'zod';

/** `hsCustomerAgentContext` is "required" in the v3 description, dropped in 2026-09, and sent by none of the documented samples: it is never required here. */
export const createTokenWire = z.object({
  email: z.email().max(254),
  firstName: z.string().max(200).optional(),
  lastName: z.string().max(200).optional(),
  hsCustomerAgentContext: z.record(z.string(), z.string()).optional(),
});
export type CreateTokenWire = z.infer<typeof createTokenWire>;

export const tokenWire = z.object({ token: z.string().min(1) });

export const hubspotErrorWire = z.object({
  status: z.literal('error').optional(),
  message: z.string(),
  correlationId: z.string(),
  category: z.string(),
});

/** The form in use; the dated ones stand beside it, and HubSpot calls v3 "legacy". */
export const TOKEN_PATHS = [
  '/visitor-identification/v3/tokens/create',
  '/visitor-identification/2026-03/tokens/create',
  '/visitor-identification/2026-09/tokens/create',
] as const;
