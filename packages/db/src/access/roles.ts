/** The roles that the portal's statements run as (docs/decisions/0044). They own nothing and can’t log in. */

/** Sees the rows of the tenant in `app.tenant_id`. */
export const RUNTIME_ROLE = 'portal_runtime';

/** Sees the rows of all tenants, for work that isn't about one tenant. */
export const SYSTEM_ROLE = 'portal_system';

/** Only a table's owner may analyse it, so this function runs as the owner. */
export const ANALYZE_FUNCTION = 'analyze_table';
