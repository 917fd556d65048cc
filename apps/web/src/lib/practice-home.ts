import { pageLink } from './page-link.ts';

/** The practice's home page, below /portal. */
export function practiceHomeLink(companyId: string): string {
  return pageLink('practiceDashboard', { company_id: companyId });
}

/** The client import. `source` names the product whose export the file is, and is stored with the import. `isStep`: part of the sign-up. */
export function clientImportLink(
  companyId: string,
  { source, isStep = false }: { source?: string | undefined; isStep?: boolean } = {},
): string {
  return pageLink('clientImport', {
    company_id: companyId,
    ...(source === undefined ? {} : { source }),
    ...(isStep ? { [FROM_STEPS]: '1' } : {}),
  });
}

/** The query parameter of the import while it is a step of the sign-up. */
export const FROM_STEPS = 'steps';
