/** Shapes sent and accepted by HubSpot (HubSpot-public-api-spec-collection, conversations visitor identification). */
import { z } from 'zod';

/**
 * `hsCustomerAgentContext` is "required" in the v3 description, gone in 2026-09 and absent from all documented samples, so it is optional
 * here.
 */
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

/** The first path is the one we use. HubSpot calls it "legacy" and also offers dated ones. */
export const TOKEN_PATHS = [
  '/visitor-identification/v3/tokens/create',
  '/visitor-identification/2026-03/tokens/create',
  '/visitor-identification/2026-09/tokens/create',
] as const;
