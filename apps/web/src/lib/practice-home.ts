import { getPageLink } from './page-link.ts';

/** The practice's home page, below /portal. */
export function getPracticeHomeLink(companyId: string): string {
  return getPageLink('practiceDashboard', { company_id: companyId });
}

/** The client import. `source` names the product whose export the file is, and is stored with the import. `isStep`: part of the sign-up. */
export function getClientImportLink(
  companyId: string,
  { source, isStep = false }: { source?: string | undefined; isStep?: boolean } = {},
): string {
  return getPageLink('clientImport', {
    company_id: companyId,
    ...(source === undefined ? {} : { source }),
    ...(isStep ? { [FROM_STEPS]: '1' } : {}),
  });
}

/** The query parameter of the import while it is a step of the sign-up. */
export const FROM_STEPS = 'steps';
