import type { PlainDate } from '../plain-date.ts';
import { getCollectionReference, toComparable } from './collection-reference.ts';

/**
 * The reference of an advance's payout: VAT registration number and the month in which the period ends, "VAT 123456789 2609". It follows from
 * facts outside our database, so that the bank's record shows which advance was paid also after a backup was restored. It has the 18 characters
 * that Faster Payments allows.
 */
export function getPayoutReference(vrn: string, periodEnd: PlainDate): string {
  return `VAT ${getCollectionReference(vrn, periodEnd)}`;
}

/** The reference of a payout of money that we owe to the trader: "VAT 123456789 DUE". */
export function getSurplusReference(vrn: string): string {
  return `VAT ${vrn} DUE`;
}

/** Whom and what a payout's reference names: the VAT number, and the month as "2609"; null if it pays a surplus. Undefined if it isn't ours. */
export function parsePayoutReference(reference: string): { readonly vrn: string; readonly month: string | null } | undefined {
  const [, vrn, subject] = /^VAT(\d{9})(\d{4}|DUE)$/.exec(toComparable(reference)) ?? [];
  if (vrn === undefined || subject === undefined) return undefined;
  return { vrn, month: subject === 'DUE' ? null : subject };
}

/** Whether both are the reference of the same payout. Banks change spaces, punctuation and case. */
export function isSamePayoutReference(a: string, b: string): boolean {
  return toComparable(a) === toComparable(b);
}
