import type { PlainDate } from '../plain-date.ts';

/**
 * Returns an advance's payment reference, for the trader's payments to the collection account: VAT registration number and the month in
 * which the period ends, such as "123456789 2609". At most 18 characters (Faster Payments). HMRC's own repayments contain only the number.
 */
export function getCollectionReference(vrn: string, periodEnd: PlainDate): string {
  return `${vrn} ${periodEnd.slice(2, 4)}${periodEnd.slice(5, 7)}`;
}

/** Returns true if a bank's reference contains the expected one. Banks change spaces, punctuation and case. */
export function containsReference(bankReference: string, expected: string): boolean {
  const expectedReference = toComparable(expected);
  return expectedReference !== '' && toComparable(bankReference).includes(expectedReference);
}

/** Removes the parts of a reference that banks change: spaces, punctuation and case. */
export function toComparable(reference: string): string {
  return reference.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
}
