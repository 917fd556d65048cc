import { pageLink } from './page-link.ts';

/** Where a practice is at home, below /portal. */
export function practiceHomeLink(companyId: string): string {
  return pageLink('practiceDashboard', { company_id: companyId });
}

/** The import of clients. */
export function clientImportLink(companyId: string): string {
  return pageLink('clientImport', { company_id: companyId });
}
