/**
 * The company that this browser last opened (docs/product/specification.md section 3). Doesn't need the router, so prerendered pages can
 * use it.
 */

const STORAGE_KEY = 'g-company';

/** Saves the company for pages opened without a company_id. */
export function saveCompanyId(companyId: string): void {
  localStorage.setItem(STORAGE_KEY, JSON.stringify({ companyId }));
}

/** Clears a company that the user can't open, so that pages without a company_id don't open it again. */
export function deleteSavedCompanyId(companyId: string): void {
  if (getSavedCompanyId() === companyId) localStorage.removeItem(STORAGE_KEY);
}

/** Returns "" if no company is saved. */
export function getSavedCompanyId(): string {
  try {
    const savedIds: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}');
    const companyId = savedIds !== null && typeof savedIds === 'object' && 'companyId' in savedIds ? savedIds.companyId : '';
    return typeof companyId === 'string' ? companyId : '';
  } catch {
    // Another script or an older version wrote the value.
    return '';
  }
}
