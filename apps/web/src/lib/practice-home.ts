import { getPageLink } from './page-link.ts';

/** Returns the path of the practice's home page, below /portal. */
export function getPracticeHomeLink(companyId: string): string {
  return getPageLink('practiceDashboard', { company_id: companyId });
}

/**
 * Returns the path of the client import. `source`: the product that exported the file, stored with the import. `isStep`: whether the import
 * is part of sign-up.
 */
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

/** The query parameter that marks an import as a step of sign-up. */
export const FROM_STEPS = 'steps';
