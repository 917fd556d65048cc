/** Shapes that the calls of signing in share. */
import { COMPANY_KINDS } from '@portal/domain/practice/roles.ts';
import { z } from 'zod';

/** What a signed-in person is; the login check answers `{}` to everybody else. */
export const personType = z.enum([...COMPANY_KINDS, 'operator', 'new']);

export const signedInOutput = z.object({
  type: personType,
  /** The page that suits this person now, below /portal. */
  home_path: z.string(),
});

/** At least 10 characters, as NIST SP 800-63B asks (length over composition). */
export const newPassword = z.string().min(10, 'Use at least 10 characters').max(200, 'Use at most 200 characters');

/**
 * What the first factor of a sign-in answers. `second_factor`: the person has an authenticator app and is not signed in yet;
 * `home_path` is the page that asks for its code (it carries the challenge), and `finishSecondFactor` takes challenge and code.
 */
export const loginOutput = z.discriminatedUnion('type', [
  signedInOutput,
  z.object({ type: z.literal('second_factor'), home_path: z.string(), challenge: z.string() }),
]);
