import { findPage, PAGES } from '@portal/contract/pages.ts';
import { getPageLink } from '../lib/page-link.ts';

/**
 * Returns the menu's first entry (docs/product/specification.md section 2.6, "Slide-out menu"): "My companies" for users with several
 * companies, otherwise "Home". It links to /company on the gateway step, to the profile for users with several companies, otherwise to
 * /home. `companies` is undefined until loaded, or if the list can't be loaded.
 */
export function getHomeEntry(pathname: string, companies: number | undefined, companyId: string): { label: string; to: string } {
  const hasSeveral = companies !== undefined && companies > 1;
  const label = hasSeveral ? 'My companies' : 'Home';
  if (findPage(pathname)?.name === 'stepGovernmentGateway') return { label, to: PAGES.company.path };
  if (hasSeveral) return { label, to: getPageLink('profile', companyId === '' ? {} : { company_id: companyId }) };
  return { label, to: PAGES.home.path };
}
