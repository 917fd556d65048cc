/**
 * Every page of the portal, one line per screen in pages/, with paths below /portal. Determines the routes, titles, headers and the
 * server's response (200, or 404 for other paths).
 */
import { ACCOUNT_PAGES } from './pages/account-pages.ts';
import { GENERAL_PAGES } from './pages/general-pages.ts';
import { OPERATOR_PAGES } from './pages/operator-pages.ts';
import { isOpenTaxPath } from './pages/open-tax-path.ts';
import { INSTANT_VAT_TITLE, OPEN_TAX_TITLE, type Page } from './pages/page.ts';
import { PRACTICE_PAGES } from './pages/practice-pages.ts';
import { TRADER_PAGES } from './pages/trader-pages.ts';

export const PAGES = { ...TRADER_PAGES, ...PRACTICE_PAGES, ...ACCOUNT_PAGES, ...GENERAL_PAGES, ...OPERATOR_PAGES } as const;

export type PageName = keyof typeof PAGES;

/** Lists all paths of a page, its main path first. */
export function listPagePaths(page: Page): readonly string[] {
  return [page.path, ...(page.otherPaths ?? [])];
}

/** Finds the page at a path below /portal. A trailing slash is allowed. */
export function findPage(path: string): (Page & { readonly name: PageName }) | undefined {
  const normalisedPath = path.length > 1 ? path.replace(/\/+$/, '') : path;
  for (const [name, page] of Object.entries(PAGES)) {
    if (listPagePaths(page).includes(normalisedPath)) return { ...page, name: name as PageName };
  }
  // Any path ending in /help is public and shows the help page (docs/product/specification.md sections 2.4 and 2.5).
  return normalisedPath.endsWith(PAGES.help.path) ? { ...PAGES.help, name: 'help', title: getProductTitleAt(normalisedPath) } : undefined;
}

/** Returns the product name to use in the window title for a path that isn't a page. */
export function getProductTitleAt(path: string): string {
  return isOpenTaxPath(path) ? OPEN_TAX_TITLE : INSTANT_VAT_TITLE;
}

/** The path of OpenTax's help. As with any other path ending in /help, it doesn't have a separate page. */
export const OPEN_TAX_HELP = `${PAGES.openTaxLanding.path}${PAGES.help.path}` as const;

/** Formats a window title such as "Tidewater OpenTax – Clients – Oakline". The subject is the company or practice. */
export function formatPageTitle(brand: string, page: Pick<Page, 'title' | 'section'>, subject?: string): string {
  return [`${brand} ${page.title}`, page.section, subject].filter((part) => part !== undefined && part !== '').join(' – ');
}
