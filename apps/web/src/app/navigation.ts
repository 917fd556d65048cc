/** Which navigation a page has (specification 2.6, 4 and 6). Paths are below /portal. */
import type { Page } from '@portal/contract/pages.ts';

/**
 * From here on there is a header of 81 px (specification 9, "page height"): below it the small screens begin, where most v2 pages have
 * none and the menu is the mobile layout's.
 */
export const SMALL_SCREEN_BELOW_PX = 768;

const PRACTITIONER_NAVIGATION: readonly string[] = ['/v2/open-tax/clients', '/v2/open-tax/dashboard', '/v2/instant-vat/premium/setup'];

/** A guest of a practice, who sees one page and moves nowhere else. */
export function isExternalUser(search: string): boolean {
  return new URLSearchParams(search).get('external_user') === '1';
}

/** The specification's flag: OpenTax's clients and dashboard and the premium set-up, unless the person is external. */
export function hasPractitionerNavigation(pathname: string, search: string): boolean {
  return PRACTITIONER_NAVIGATION.includes(withoutSlash(pathname)) && !isExternalUser(search);
}

/** In the OpenTax flow the menu offers a team member instead of a company. */
export function isOpenTaxFlow(pathname: string, search: string): boolean {
  return isBelow('/v2/open-tax', pathname) || hasPractitionerNavigation(pathname, search);
}

/** Small screens: v2 pages other than dashboards, landings and OpenTax's show no header. */
export function hasHeaderWhenSmall(page: Page | undefined, pathname: string): boolean {
  if (!isBelow('/v2', pathname)) return true;
  return page?.header !== undefined || page?.kind === 'landing' || isBelow('/v2/open-tax', pathname);
}

function isBelow(section: string, pathname: string): boolean {
  return pathname === section || pathname.startsWith(`${section}/`);
}

const withoutSlash = (path: string): string => path.replace(/\/+$/, '');
