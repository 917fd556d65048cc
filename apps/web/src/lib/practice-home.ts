import { pageLink } from './page-link.ts';

/** Where a practice is at home, below /portal. */
export function practiceHomeLink(companyId: string): string {
  return pageLink('practiceDashboard', { company_id: companyId });
}

/** The import of clients; `source` names the product whose export the file is, so that it is kept with the import. */
export function clientImportLink(companyId: string, source?: string): string {
  return pageLink('clientImport', { company_id: companyId, ...(source === undefined ? {} : { source }) });
}
