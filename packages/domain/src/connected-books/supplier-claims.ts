/**
 * Input VAT claimed from a UK supplier that has no VAT number in the bookkeeping software. Only a VAT-registered supplier can charge VAT,
 * and its number is on every VAT invoice, including simplified ones up to £250 (VAT Regulations 1995 regs 14 and 16A; HMRC's manual
 * VIT31000). A supplier's record may simply be incomplete, so this is only a hint.
 */
import type { Treatment } from '../books/books-row.ts';
import { formatPounds, type Pence } from '../money.ts';
import { BOOKS_PROVIDER_NAMES, type BooksProviderName } from './books-providers.ts';
import type { ReturnCheck } from '../vat-returns/review-return.ts';
import type { BooksDocument, DocumentFlag, DocumentLine } from './books-document.ts';

/** Treatments for which a UK supplier charges VAT. Import VAT and reverse charges aren't charged by the supplier. */
export const CLAIMED_TREATMENTS: readonly Treatment[] = ['standard', 'reduced', 'capital'];

/**
 * Up to this amount including VAT, phone calls, coin-operated machines, car parks and tolls don't need a VAT invoice (VAT Notice 700
 * section 19). A document doesn't show whether it is for one of these.
 */
const MAX_WITHOUT_INVOICE_PENCE = 2_500;
/** The number of suppliers listed by name; the rest are combined in one line. */
const MAX_NAMED = 5;

/** Returns a document's flags, including the one based on its supplier. */
export function listDocumentFlags(document: BooksDocument): readonly DocumentFlag[] {
  return hasClaimWithoutVatNumber(document) ? [...document.flags, 'supplier_vat_number'] : document.flags;
}

/** Returns false if the supplier isn't known. */
function hasClaimWithoutVatNumber({ supplier, lines }: BooksDocument): boolean {
  if (supplier === undefined || supplier.hasVatNumber || !supplier.isInUk) return false;
  const purchases = lines.filter(({ kind }) => kind === 'purchase');
  const total = purchases.reduce((sum, { net_pence, vat_pence }) => sum + net_pence + vat_pence, 0);
  const claimedVat = purchases.filter(isClaimed).reduce((sum, { vat_pence }) => sum + vat_pence, 0);
  return claimedVat > 0 && total > MAX_WITHOUT_INVOICE_PENCE;
}

function isClaimed({ treatment }: DocumentLine): boolean {
  return CLAIMED_TREATMENTS.includes(treatment);
}

/** One supplier's flagged documents in a period. */
export type SupplierClaim = { readonly supplier: string; readonly documents: number; readonly vatPence: Pence };

/** Returns one line per supplier, largest VAT amount first. */
export function checkSupplierClaims(claims: readonly SupplierClaim[], provider: BooksProviderName): ReturnCheck[] {
  const providerName = BOOKS_PROVIDER_NAMES[provider];
  // QuickBooks' field holds the number of any tax registration.
  const [record, number] = provider === 'quickbooks' ? ['supplier record', 'tax registration number'] : ['contact', 'VAT number'];
  const sorted = claims.toSorted((a, b) => b.vatPence - a.vatPence || (a.supplier < b.supplier ? -1 : 1));
  const otherClaims = sorted.slice(MAX_NAMED);
  const lines = sorted.slice(0, MAX_NAMED).map(({ supplier, documents, vatPence }) => {
    const name = supplier === '' ? 'a supplier without a name' : supplier;
    return `Check ${name}: ${formatPounds(vatPence)} of VAT is claimed on ${describeCount(documents)}, but its ${record} in ${providerName} has no ${number}.`;
  });
  if (otherClaims.length > 0) {
    const documents = otherClaims.reduce((sum, otherClaim) => sum + otherClaim.documents, 0);
    const vatPence = otherClaims.reduce((sum, otherClaim) => sum + otherClaim.vatPence, 0) as Pence;
    const subject = otherClaims.length === 1 ? '1 more supplier' : `${otherClaims.length} more suppliers`;
    lines.push(
      `Check ${subject} without a ${number} in ${providerName}: ${formatPounds(vatPence)} of VAT is claimed on ${describeCount(documents)}. Each is flagged in box 4.`,
    );
  }
  return lines.map((sentence) => ({ code: 'supplier_vat_number', severity: 'info', sentence }));
}

const describeCount = (documents: number): string => (documents === 1 ? '1 document' : `${documents} documents`);
