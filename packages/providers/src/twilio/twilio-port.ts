/** What the product asks of whoever checks phone numbers, in its own words; `twilio-client.ts` answers it. */
declare const e164Brand: unique symbol;

/** A phone number in its one normal form, "+447911123456"; made by `parseMobileNumber` or read from storage. */
export type E164 = string & { readonly [e164Brand]: true };

/**
 * - `approved`: the code was right; it cannot be used again.
 * - `wrong_code`: it was not; the person may try again, five times in all for one code.
 * - `expired`: there is nothing to check any more (ten minutes over, used, or never sent): a new code must be sent.
 * - `too_many_attempts`: five wrong codes; the number has to wait until the ten minutes are over.
 */
export type CodeCheck = 'approved' | 'wrong_code' | 'expired' | 'too_many_attempts';

/**
 * Failures are ProviderError. `throttled` on `start` is the limit of five messages in ten minutes for a number (or of five wrong codes);
 * `refused` with code 60200 is a number that cannot get messages. A check that is `unknown` may have used the code up:
 * the next check then says `expired`, and a new code mends it.
 */
export type PhoneVerification = {
  /** Sends a code by text message; within ten minutes the same code again. `locale`: "en-GB". */
  start(order: { phone: E164; locale?: string }): Promise<{ sentTo: E164 }>;
  check(order: { phone: E164; code: string }): Promise<CodeCheck>;
};
