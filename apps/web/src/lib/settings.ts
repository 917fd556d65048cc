/** Settings that the server writes into each page's head. */
import { isOpenTaxPath } from '@portal/contract/pages/open-tax-path.ts';
import { PUBLIC_PATHS } from './public-paths.ts';

export const PORTAL_BASE = '/portal';

function readMeta(name: string): string {
  // During prerendering the page doesn't have a head, so leave the placeholder for the server to fill in.
  if (typeof document === 'undefined') return `%${name.replaceAll('-', '_').toUpperCase()}%`;
  const content = document.querySelector(`meta[name="${name}"]`)?.getAttribute('content') ?? '';
  // A placeholder that the server hasn't filled in means "not set".
  return content.startsWith('%') ? '' : content;
}

/** The brand's name, for titles and the logo's text. */
export const getBrandName = (): string => readMeta('portal-brand') || 'Tidewater';

/** Returns the sandbox's index page, or "" if no provider is simulated. */
export const getSandboxUrl = (): string => readMeta('portal-sandbox');

/** Returns what is simulated, for the notice on every page. Both values are empty if nothing is simulated. */
export const getSandboxName = (): { url: string; text: string } => ({ url: getSandboxUrl(), text: readMeta('portal-sandbox-text') });

/** Returns whether the pages for developers are available. */
export const showsDevelopmentPages = (): boolean => readMeta('portal-development') === '1';

/** Returns the URL of the analytics container's script, or "" if none is configured. */
export const getAnalyticsScriptUrl = (): string => readMeta('portal-analytics');

/** Returns the URL of the chat's loader script, or "" if no chat is configured. */
export const getChatScriptUrl = (): string => readMeta('portal-chat');

/** Returns the app's origin, which docs/product/specification.md calls {host}. */
export const getAppHost = (): string => readMeta('portal-app-host') || location.origin;

/** Returns the partner that a landing page is prerendered for. */
export const getPrerenderedFor = (): string => readMeta('portal-prerendered-for') || 'organic';

/** Defaults to the landing page of the product that the current page belongs to. */
export const getWebsiteUrl = (pathname: string): string =>
  readMeta('portal-website') || `${PORTAL_BASE}${isOpenTaxPath(pathname) ? PUBLIC_PATHS.openTaxLanding : PUBLIC_PATHS.instantVatLanding}`;

/** Defaults to the portal's own privacy page. */
export const getDataPolicyUrl = (): string => readMeta('portal-privacy') || `${PORTAL_BASE}${PUBLIC_PATHS.privacy}`;
