/** The sign-up dialog's rule for email (specification 5), without zod: it would double the page's weight. A test holds it to the contract's rule. */

const EMAIL = /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/;
const LONGEST = 254;

/** Why a text is no email address; undefined when it is one. */
export function emailProblem(text: string): string | undefined {
  const email = text.trim();
  if (email === '') return 'Email is required';
  return email.length > LONGEST || !EMAIL.test(email) ? 'Invalid email address' : undefined;
}
