/** What the server tells every page about itself, in its head. */
import { isOpenTaxPath, PAGES } from '@portal/contract/pages.ts';

export const PORTAL_BASE = '/portal';

function readMeta(name: string): string {
  // While a page is drawn in advance there is no head to read: the server fills the mark in the markup itself.
  if (typeof document === 'undefined') return `%${name.replaceAll('-', '_').toUpperCase()}%`;
  const content = document.querySelector(`meta[name="${name}"]`)?.getAttribute('content') ?? '';
  // The server fills %PORTAL_...%; an unfilled one means that nobody set it.
  return content.startsWith('%') ? '' : content;
}

/** The brand's name, for titles and the logo's text. */
export const brandName = (): string => readMeta('portal-brand') || 'Tidewater';

/** Where the doubles' own pages are, while any provider is a double; empty otherwise. */
export const sandboxUrl = (): string => readMeta('portal-sandbox');

/** Whether the pages are here that only who builds the portal needs. */
export const showsDevelopmentPages = (): boolean => readMeta('portal-development') === '1';

/** The analytics container's script; empty where none is set up. */
export const analyticsScriptUrl = (): string => readMeta('portal-analytics');

/** The chat's loader; empty where no chat is set up. */
export const chatScriptUrl = (): string => readMeta('portal-chat');

/** The origin of the app, {host} in the specification. */
export const appHost = (): string => readMeta('portal-app-host') || location.origin;

/** What a prerendered page was drawn for: a partner's name, and whether it is that partner's own page. */
export const getLandingSettings = (): { drawnFor: string; isDoor: boolean } => ({
  drawnFor: readMeta('portal-drawn-for') || 'organic',
  isDoor: readMeta('portal-door') === '1',
});

/** The brand's website: where no other is set, the landing page of the product whose page one is on. */
export const websiteUrl = (pathname: string): string =>
  readMeta('portal-website') || `${PORTAL_BASE}${isOpenTaxPath(pathname) ? PAGES.openTaxLanding.path : PAGES.instantVatLanding.path}`;

/** The privacy policy: the portal's own page where no other is set. */
export const dataPolicyUrl = (): string => readMeta('portal-privacy') || `${PORTAL_BASE}${PAGES.privacy.path}`;
