import type { PlainDate } from '../plain-date.ts';
import { getCollectionReference, toComparable } from './collection-reference.ts';

/**
 * Returns the reference for an advance's payout: VAT registration number and the month in which the period ends, "VAT 123456789 2609". It
 * is derived from facts outside our database, so that even after restoring a backup, the bank's records show which advance was paid. It
 * uses all 18 characters that Faster Payments allows.
 */
export function getPayoutReference(vrn: string, periodEnd: PlainDate): string {
  return `VAT ${getCollectionReference(vrn, periodEnd)}`;
}

/** Returns the reference for paying out money we owe the trader: "VAT 123456789 DUE". */
export function getSurplusReference(vrn: string): string {
  return `VAT ${vrn} DUE`;
}

/**
 * Returns the VAT number and month in a payout reference; the month is "2609", or null for a surplus. Undefined if the reference isn't
 * ours.
 */
export function parsePayoutReference(reference: string): { readonly vrn: string; readonly month: string | null } | undefined {
  const [, vrn, subject] = /^VAT(\d{9})(\d{4}|DUE)$/.exec(toComparable(reference)) ?? [];
  if (vrn === undefined || subject === undefined) return undefined;
  return { vrn, month: subject === 'DUE' ? null : subject };
}

/** Returns true if both references belong to the same payout. Banks change spaces, punctuation and case. */
export function isSamePayoutReference(a: string, b: string): boolean {
  return toComparable(a) === toComparable(b);
}
