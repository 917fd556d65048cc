/** The email of the sign-up dialog on its way to the sign-up form (specification 3). */
const KEY = 'instant-vat-email';

export const saveSignUpEmail = (email: string): void => sessionStorage.setItem(KEY, email);
export const getSignUpEmail = (): string => sessionStorage.getItem(KEY) ?? '';
