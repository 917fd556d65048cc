/** The window title: "<brand> Login", "<brand> OpenTax – Clients" (docs/product/specification.md section 2.6). */
import { findPage, productTitleAt } from '@portal/contract/pages.ts';
import { brandName } from './settings.ts';

export function pageTitle(pathname: string): string {
  return `${brandName()} ${findPage(pathname)?.title ?? productTitleAt(pathname)}`;
}
