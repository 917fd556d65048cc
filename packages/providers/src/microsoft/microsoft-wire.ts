/** Microsoft identity platform v2 responses. See docs/reference/providers.md section 5. */
import { z } from 'zod';

/** Tenant and object IDs are GUIDs. Any other `tid` could change the issuer URL that is built from it. */
const guidSchema = z.string().regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);

export const microsoftClaimsWire = z.object({
  iss: z.string(),
  sub: z.string().min(1),
  tid: guidSchema,
  oid: guidSchema,
  name: z.string().optional(),
  /** Mutable, unverified and under the tenant's control. */
  email: z.string().optional(),
  preferred_username: z.string().optional(),
});
export type MicrosoftClaimsWire = z.infer<typeof microsoftClaimsWire>;

/** A published key states which issuer may sign with it; `{tenantid}` means any organisation. */
export const microsoftKeyWire = z.object({ kid: z.string(), issuer: z.string().optional() });

/** The tenant for personal accounts (outlook.com, hotmail.com). */
export const CONSUMER_TENANT = '9188040d-6c67-4c5b-b112-36a304b66dad';

export function getMicrosoftIssuer(tenantId: string): string {
  return `https://login.microsoftonline.com/${tenantId}/v2.0`;
}

export const GRAPH_PREFIX = 'https://graph.microsoft.com/';
