/** Phone verification as the portal uses it. Implemented by `twilio-client.ts`. */
import type { CodeCheck } from '@portal/domain/identity/code-check.ts';

declare const e164Brand: unique symbol;

/** A phone number in E.164 format, such as "+447911123456"; created by `parseMobileNumber` or read from storage. */
export type E164 = string & { readonly [e164Brand]: true };

/**
 * Failures are ProviderErrors. `throttled` on `start` is the limit of five messages (or five wrong codes) in ten minutes for a number;
 * `refused` with code 60200 is a number that can't receive messages. A check that fails as `unknown` may have used up the code: the next
 * check then returns `expired`, and a new code is needed.
 */
export type PhoneVerification = {
  /** Sends a code by text message. Repeats within ten minutes send the same code. `locale`: "en-GB". */
  start(order: { phone: E164; locale?: string }): Promise<{ sentTo: E164 }>;
  check(order: { phone: E164; code: string }): Promise<CodeCheck>;
};
