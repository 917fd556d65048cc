/** Kept in a separate module, so that prerendered pages can use it without the table of all pages. */
import type { PRACTICE_PAGES } from './practice-pages.ts';

const OPEN_TAX: (typeof PRACTICE_PAGES)['openTaxLanding']['path'] = '/v2/open-tax';

/** Returns whether a path below /portal belongs to OpenTax. */
export function isOpenTaxPath(path: string): boolean {
  return path === OPEN_TAX || path.startsWith(`${OPEN_TAX}/`);
}
