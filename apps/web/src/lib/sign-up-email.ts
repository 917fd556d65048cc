/** Passes the email address from the sign-up dialog to the sign-up form (docs/product/specification.md section 3). */
const KEY = 'instant-vat-email';

export const saveSignUpEmail = (email: string): void => sessionStorage.setItem(KEY, email);
export const getSignUpEmail = (): string => sessionStorage.getItem(KEY) ?? '';
