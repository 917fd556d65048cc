/** Parses a mobile number in any common format. */
import { parsed, createRejection, type Parsed } from '@portal/domain/parsed.ts';
// Uses the largest metadata set (157 kB), because only that one distinguishes a landline from a mistyped number.
import { parsePhoneNumberFromString, validatePhoneNumberLength, type PhoneNumber } from 'libphonenumber-js/max';
import type { E164 } from './twilio-port.ts';

/** Numbers reserved for drama by Ofcom (Ofcom, "Telephone numbers for use in TV and radio drama programmes"). */
const DRAMA_NUMBER = /^\+447700900\d{3}$/;

/**
 * Treats a number without a country code as British. Accepts mobile numbers from every country; rejects landlines, service numbers and
 * extensions.
 */
export function parseMobileNumber(text: string): Parsed<E164> {
  const trimmed = text.trim();
  if (trimmed === '') return createRejection('Enter a mobile number, for example 07911 123456.');
  const number = trimmed.length > 40 ? undefined : parsePhoneNumberFromString(trimmed, { defaultCountry: 'GB', extract: false });
  if (!number) return createRejection('This isn’t a phone number. Enter a mobile number, for example 07911 123456 or +44 7911 123456.');
  if (number.ext !== undefined) return createRejection('We can’t send a text message to an extension. Enter a mobile number without one.');
  const e164 = number.number;
  if (DRAMA_NUMBER.test(e164))
    return createRejection('This number is reserved for film and TV and isn’t in use. Enter your own mobile number.');
  if (!number.isValid()) return createRejection(describeInvalidNumber(e164));
  return rejectByType(number) ?? parsed(e164 as string as E164);
}

function describeInvalidNumber(e164: string): string {
  // Other British numbers vary in length, so the metadata accepts a mobile number with a missing digit as possible.
  const digits = e164.startsWith('+447') ? e164.length - '+44'.length + 1 : 11;
  if (digits !== 11) return `A UK mobile number has 11 digits, but this one has ${digits}. Check it and enter it again.`;
  switch (validatePhoneNumberLength(e164)) {
    case 'TOO_SHORT':
      return 'This number has too few digits. Check it and enter it again.';
    case 'TOO_LONG':
      return 'This number has too many digits. Check it and enter it again.';
    case 'INVALID_LENGTH':
    case 'INVALID_COUNTRY':
    case 'NOT_A_NUMBER':
    case undefined:
      return 'This number isn’t in use. Check it and enter it again.';
  }
}

function rejectByType(number: PhoneNumber): Parsed<never> | undefined {
  switch (number.getType()) {
    case 'MOBILE':
    // North American mobile numbers look like landlines; only sending a text message shows which it is.
    case 'FIXED_LINE_OR_MOBILE':
      return undefined;
    case 'FIXED_LINE':
      return createRejection('This is a landline number, but we send the code by text message. Enter a mobile number.');
    case 'PREMIUM_RATE':
    case 'TOLL_FREE':
    case 'SHARED_COST':
    case 'VOIP':
    case 'PERSONAL_NUMBER':
    case 'PAGER':
    case 'UAN':
    case 'VOICEMAIL':
    case undefined:
      return createRejection('This isn’t a mobile number, but we send the code by text message. Enter a mobile number.');
  }
}
