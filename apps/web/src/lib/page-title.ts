/** The window title, for example "<brand> Login" or "<brand> OpenTax – Clients – Oakline" (docs/product/specification.md section 2.6). */
import { findPage, formatPageTitle, getProductTitleAt } from '@portal/contract/pages.ts';
import { getBrandName } from './settings.ts';

const NOT_FOUND = 'Page not found';

/** `subject`: the company or practice that the page shows. */
export function getPageTitle(pathname: string, subject?: string): string {
  return formatPageTitle(getBrandName(), findPage(pathname) ?? { title: getProductTitleAt(pathname), section: NOT_FOUND }, subject);
}
