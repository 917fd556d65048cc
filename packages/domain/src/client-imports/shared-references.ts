/**
 * References that two clients can share. A VAT group has one number, under which its representative member files one return for all (VATA
 * 1994 s43(1); docs/reference/uk-tax.md section 1.11), and connected employers can run one PAYE scheme. Each stays with one client, so that
 * its tax counts once.
 */
import type { Tax } from '../uk-tax/tax.ts';
import { CLIENT_REFERENCES, type ClientReference, type ImportedClient, type RowProblem } from './imported-client.ts';

const SHARED_TAXES = { vrn: 'vat', paye_reference: 'paye' } as const satisfies Partial<Record<ClientReference, Tax>>;
export type ShareableReference = keyof typeof SHARED_TAXES;

export function isShareable(field: string): field is ShareableReference {
  return field in SHARED_TAXES;
}

/**
 * A reference that another client holds. `holder` names that client, with its line if it is in the same file. `isRepresentative`: it is known
 * to be the representative member of the VAT group with this number, so the client is another member.
 */
export type SharedReference = { readonly field: ShareableReference; readonly holder: string; readonly isRepresentative: boolean };

type ReferencedRow = Readonly<Record<ClientReference, string | null>> & { readonly name: string };

/** Returns true if both have a reference that only one person or company can have, and it differs. */
export function hasDifferentReference(one: ReferencedRow, other: ReferencedRow): boolean {
  return CLIENT_REFERENCES.some(
    (field) => !isShareable(field) && one[field] !== null && other[field] !== null && one[field] !== other[field],
  );
}

/** Ignores letter case, punctuation and legal endings: "Harlow Joinery Limited" equals "HARLOW JOINERY". */
export function hasSameName(one: ReferencedRow, other: ReferencedRow): boolean {
  return toNameKey(one.name) === toNameKey(other.name);
}

/** The name in letters and digits only, without legal endings. */
export function toNameKey(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replaceAll(/\b(?:limited|ltd|llp|plc|the)\b/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

const PROBLEMS: Readonly<Record<ShareableReference, (holder: string) => string>> = {
  vrn: (holder) =>
    `Shares its VAT number with ${holder}, as the members of a VAT group do. The number and VAT stay with that client, so that they’re counted only once. Check that it’s the group’s representative member.`,
  paye_reference: (holder) =>
    `Shares its PAYE reference with ${holder}. The reference and PAYE stay with that client, so that they’re counted only once. Check which of them is the employer.`,
};

/**
 * Omits the references that another client holds, and their taxes, and says what to check. Nothing needs checking if the holder is known to
 * be the representative member of the VAT group.
 */
export function omitSharedReferences(
  client: ImportedClient,
  sharedReferences: readonly SharedReference[],
): { readonly client: ImportedClient; readonly problems: readonly RowProblem[] } {
  const isMember =
    client.vat_group_role === null && sharedReferences.some(({ field, isRepresentative }) => field === 'vrn' && isRepresentative);
  const questions = sharedReferences.filter(({ field }) => field !== 'vrn' || !isMember);
  const sharesNumber = sharedReferences.some(({ field }) => field === 'vrn');
  const taxes: readonly Tax[] = sharedReferences.map(({ field }) => SHARED_TAXES[field]);
  return {
    client: {
      ...client,
      ...Object.fromEntries(sharedReferences.map(({ field }) => [field, null])),
      ...(sharesNumber ? { vat_group_role: isMember ? 'member' : null, vat_group_vrn: isMember ? client.vrn : null } : {}),
      taxes: client.taxes.filter((tax) => !taxes.includes(tax)),
    },
    problems: questions.map(({ field, holder }) => ({ field, problem: PROBLEMS[field](holder) })),
  };
}
