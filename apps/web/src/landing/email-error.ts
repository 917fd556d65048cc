/**
 * The email rule of the sign-up dialog (docs/product/specification.md section 5), without zod, which would make the page twice as large. A
 * test compares it with the contract's rule.
 */

const EMAIL_PATTERN = /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/;
const MAX_LENGTH = 254;

/** Returns the error message for an invalid email address, or undefined if it is valid. */
export function getEmailError(text: string): string | undefined {
  const email = text.trim();
  if (email === '') return 'Email is required';
  return email.length > MAX_LENGTH || !EMAIL_PATTERN.test(email) ? 'Invalid email address' : undefined;
}
