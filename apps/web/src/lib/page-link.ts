/** Returns a page's path with its query, for the router: getPageLink('vatReturn', { company_id, obligation_id }). */
import { PAGES, type PageName } from '@portal/contract/pages.ts';

export function getPageLink(page: PageName, query: Readonly<Record<string, string>> = {}): string {
  const queryText = new URLSearchParams(query).toString();
  return queryText === '' ? PAGES[page].path : `${PAGES[page].path}?${queryText}`;
}
