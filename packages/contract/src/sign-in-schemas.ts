/** Schemas shared by the sign-in endpoints. */
import { COMPANY_KINDS } from '@portal/domain/identity/roles.ts';
import { z } from 'zod/mini';

/** The type of the signed-in user; the login check returns `{}` if the visitor isn't signed in. */
export const userTypeSchema = z.enum([...COMPANY_KINDS, 'operator', 'new']);

export const signedInOutput = z.object({
  type: userTypeSchema,
  /** The page to open for this user, below /portal. */
  home_path: z.string(),
});

/** Requires at least 10 characters, following NIST SP 800-63B (length over composition). */
export const newPassword = z.string().check(z.minLength(10, 'Use at least 10 characters'), z.maxLength(200, 'Use at most 200 characters'));

/**
 * Result of the first sign-in factor. `second_factor`: the user has an authenticator app and isn't signed in yet. `home_path` is the page
 * that asks for the code (it includes the challenge), and `completeSecondFactor` takes the challenge and the code.
 */
export const loginOutput = z.discriminatedUnion('type', [
  signedInOutput,
  z.object({ type: z.literal('second_factor'), home_path: z.string(), challenge: z.string() }),
]);
