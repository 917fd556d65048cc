/** Screen names of the roles in a trader's company. */
import type { CompanyWireRole } from '@portal/contract/company-people.ts';

export const COMPANY_ROLE_NAMES: Readonly<Record<CompanyWireRole, string>> = {
  owner: 'Owner',
  bookkeeper: 'Bookkeeper',
  accountant: 'Accountant',
  viewer: 'Viewer',
};
