/** The public URLs of the tools and of the OAuth endpoints. */
import { MCP_PATH, OAUTH_PATHS } from '@portal/contract/connected-apps.ts';
import type { Site } from '../../app-deps.ts';

export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource';
/** The URL form for a resource with a path (RFC 9728 section 3.1). */
export const MCP_RESOURCE_METADATA_PATH = `${RESOURCE_METADATA_PATH}/portal${MCP_PATH}`;

type PublicUrl = Pick<Site, 'publicUrl'>;

/** Returns the resource that tokens are issued for (RFC 8707): this portal's tools. */
export function getResource({ publicUrl }: PublicUrl): string {
  return `${publicUrl}/portal${MCP_PATH}`;
}

/**
 * Returns whether the resource that an app names is our tools. A trailing slash doesn’t matter (MCP specification, canonical server URI).
 */
export function isOurResource(site: PublicUrl, resource: string): boolean {
  return resource.replace(/\/$/, '') === getResource(site);
}

export function getResourceMetadataUrl({ publicUrl }: PublicUrl): string {
  return `${publicUrl}${MCP_RESOURCE_METADATA_PATH}`;
}

export function getOauthUrl({ publicUrl }: PublicUrl, name: keyof typeof OAUTH_PATHS): string {
  return `${publicUrl}/portal${OAUTH_PATHS[name]}`;
}
