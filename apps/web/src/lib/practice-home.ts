import { findPage } from '@portal/contract/pages.ts';
import { settingsPath } from '@portal/contract/practice.ts';

const DASHBOARD_PATH = '/v2/open-tax/dashboard';
const IMPORT_PATH = '/v2/open-tax/clients/import';

/** Where a practice is at home, below /portal. */
export function practiceHomeLink(companyId: string): string {
  return withCompany(findPage(DASHBOARD_PATH) === undefined ? settingsPath('profile') : DASHBOARD_PATH, companyId);
}

/** The import of clients; undefined in a portal without it. */
export function clientImportLink(companyId: string): string | undefined {
  return findPage(IMPORT_PATH) === undefined ? undefined : withCompany(IMPORT_PATH, companyId);
}

const withCompany = (path: string, companyId: string): string => `${path}?${new URLSearchParams({ company_id: companyId })}`;
