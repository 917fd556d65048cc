/** The window title: "<brand> Login", "<brand> OpenTax – Clients – Oakline" (docs/product/specification.md section 2.6). */
import { findPage, formatPageTitle, productTitleAt } from '@portal/contract/pages.ts';
import { brandName } from './settings.ts';

/** `subject`: the company or practice that the page shows. */
export function pageTitle(pathname: string, subject?: string): string {
  return formatPageTitle(brandName(), findPage(pathname) ?? { title: productTitleAt(pathname) }, subject);
}
