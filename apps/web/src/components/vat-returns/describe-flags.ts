import type { DocumentFlag } from '@portal/domain/connected-books/books-document.ts';

type FlaggedRow = { readonly flagged: boolean; readonly document_flags: readonly DocumentFlag[] };

/** Returns the reasons for checking the row. */
export function describeFlags({ flagged, document_flags: flags }: FlaggedRow): string {
  return [
    ...(flagged ? ['Repeats an earlier row'] : []),
    ...(flags.includes('rate_mismatch') ? ['The VAT doesn’t match the rate'] : []),
    ...(flags.includes('entertainment') ? ['VAT on entertainment can’t usually be reclaimed'] : []),
    ...(flags.includes('supplier_vat_number') ? ['The supplier has no VAT number in the bookkeeping software'] : []),
  ].join('. ');
}
