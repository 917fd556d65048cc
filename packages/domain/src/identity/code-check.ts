/**
 * The result of checking a code that was sent by text message.
 * - `approved`: the code was correct and can't be used again.
 * - `wrong_code`: the user may try again, five times in total for one code.
 * - `expired`: there's nothing to check (ten minutes have passed, the code was used, or none was sent), so send a new code.
 * - `too_many_attempts`: five wrong codes; the number is blocked until the ten minutes have passed.
 */
export const CODE_CHECKS = ['approved', 'wrong_code', 'expired', 'too_many_attempts'] as const;
export type CodeCheck = (typeof CODE_CHECKS)[number];
