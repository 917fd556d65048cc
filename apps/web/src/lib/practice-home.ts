import { pageLink } from './page-link.ts';

/** The practice's home page, below /portal. */
export function practiceHomeLink(companyId: string): string {
  return pageLink('practiceDashboard', { company_id: companyId });
}

/** The client import. `source` names the product whose export the file is, and is stored with the import. */
export function clientImportLink(companyId: string, source?: string): string {
  return pageLink('clientImport', { company_id: companyId, ...(source === undefined ? {} : { source }) });
}
