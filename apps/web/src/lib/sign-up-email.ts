/** Passes the email address from the sign-up dialog to the sign-up form (docs/product/specification.md section 3). */
const STORAGE_KEY = 'instant-vat-email';

export const saveSignUpEmail = (email: string): void => sessionStorage.setItem(STORAGE_KEY, email);
export const getSignUpEmail = (): string => sessionStorage.getItem(STORAGE_KEY) ?? '';
