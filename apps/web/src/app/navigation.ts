/** The navigation of each page (docs/product/specification.md sections 2.6, 4 and 6). Paths are below /portal. */
import type { Page } from '@portal/contract/pages/page.ts';

/**
 * From this width the header is 81 px high (docs/product/specification.md section 9, "page height"). On smaller screens most v2 pages have
 * no header and use the mobile menu.
 */
export const SMALL_SCREEN_BELOW_PX = 768;

const PRACTITIONER_NAVIGATION: readonly string[] = ['/v2/open-tax/clients', '/v2/open-tax/dashboard', '/v2/instant-vat/premium/setup'];

/** External users see only one page and don't have navigation. */
export function isExternalUser(search: string): boolean {
  return new URLSearchParams(search).get('external_user') === '1';
}

/** Implements docs/product/specification.md section 4, "Practitioner navigation flag". */
export function hasPractitionerNavigation(pathname: string, search: string): boolean {
  return PRACTITIONER_NAVIGATION.includes(stripTrailingSlash(pathname)) && !isExternalUser(search);
}

/** In the OpenTax flow the menu offers to add a team member instead of a company. */
export function isOpenTaxFlow(pathname: string, search: string): boolean {
  return isBelow('/v2/open-tax', pathname) || hasPractitionerNavigation(pathname, search);
}

/** On small screens, v2 pages have no header unless they are dashboards, landing pages or part of OpenTax. */
export function hasHeaderWhenSmall(page: Page | undefined, pathname: string): boolean {
  if (!isBelow('/v2', pathname)) return true;
  return page?.header !== undefined || page?.kind === 'landing' || isBelow('/v2/open-tax', pathname);
}

function isBelow(section: string, pathname: string): boolean {
  return pathname === section || pathname.startsWith(`${section}/`);
}

const stripTrailingSlash = (path: string): string => path.replace(/\/+$/, '');
