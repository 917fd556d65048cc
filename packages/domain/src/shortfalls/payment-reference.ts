/**
 * The reference that a trader quotes when paying a shortfall by bank transfer. It identifies the case, so that the payment is reconciled
 * automatically.
 */

/** Crockford's base 32, which omits I, L, O and U because they are easily confused (crockford.com/base32.html). */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const PREFIX = 'VR';
const REFERENCE_LENGTH = 8;

/**
 * Returns ten capital letters and digits, derived from the case's UUID: "VR4K7M2Q9D". This is well within the 18 characters of a Faster
 * Payments reference (Pay.UK, "Faster Payment System Principles").
 */
export function getPaymentReference(caseId: string): string {
  let bits = BigInt(`0x${caseId.replaceAll('-', '').slice(0, 10)}`);
  let code = '';
  for (let index = 0; index < REFERENCE_LENGTH; index += 1) {
    code = (ALPHABET[Number(bits & 31n)] ?? '') + code;
    bits >>= 5n;
  }
  return PREFIX + code;
}

/**
 * Returns true if a bank transfer's reference contains a case's reference, ignoring letter case, spaces, hyphens and easily confused
 * characters.
 */
export function hasReference(text: string, reference: string): boolean {
  return normalise(text).includes(normalise(reference));
}

function normalise(text: string): string {
  return text
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
}
