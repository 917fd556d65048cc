/** The roles in a trader's company as the screens name them. */
import type { CompanyWireRole } from '@portal/contract/company-people.ts';

export const COMPANY_ROLE_NAMES: Readonly<Record<CompanyWireRole, string>> = {
  owner: 'Owner',
  bookkeeper: 'Bookkeeper',
  accountant: 'Accountant',
  viewer: 'Viewer',
};
