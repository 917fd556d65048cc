/** Settings that the server writes into each page's head. */
import { isOpenTaxPath } from '@portal/contract/pages/open-tax-path.ts';
import { PUBLIC_PATHS } from './public-paths.ts';

export const PORTAL_BASE = '/portal';

function readMeta(name: string): string {
  // While a page is prerendered there is no head: leave the placeholder for the server to fill.
  if (typeof document === 'undefined') return `%${name.replaceAll('-', '_').toUpperCase()}%`;
  const content = document.querySelector(`meta[name="${name}"]`)?.getAttribute('content') ?? '';
  // A placeholder that the server has not filled means "not set".
  return content.startsWith('%') ? '' : content;
}

/** For titles and the logo's text. */
export const getBrandName = (): string => readMeta('portal-brand') || 'Tidewater';

/** The sandbox's index page; empty if no provider is simulated. */
export const sandboxUrl = (): string => readMeta('portal-sandbox');

/** What is simulated, for the notice on every page; both are empty if nothing is. */
export const sandbox = (): { url: string; text: string } => ({ url: sandboxUrl(), text: readMeta('portal-sandbox-text') });

/** Whether the pages for developers exist. */
export const showsDevelopmentPages = (): boolean => readMeta('portal-development') === '1';

/** The analytics container's script; empty if none is configured. */
export const getAnalyticsScriptUrl = (): string => readMeta('portal-analytics');

/** The chat's loader script; empty if no chat is configured. */
export const getChatScriptUrl = (): string => readMeta('portal-chat');

/** The app's origin: {host} in docs/product/specification.md. */
export const appHost = (): string => readMeta('portal-app-host') || location.origin;

/** The partner that a landing page is prerendered for. */
export const getPrerenderedFor = (): string => readMeta('portal-prerendered-for') || 'organic';

/** Defaults to the landing page of the product that the current page belongs to. */
export const websiteUrl = (pathname: string): string =>
  readMeta('portal-website') || `${PORTAL_BASE}${isOpenTaxPath(pathname) ? PUBLIC_PATHS.openTaxLanding : PUBLIC_PATHS.instantVatLanding}`;

/** Defaults to the portal's own privacy page. */
export const getDataPolicyUrl = (): string => readMeta('portal-privacy') || `${PORTAL_BASE}${PUBLIC_PATHS.privacy}`;
