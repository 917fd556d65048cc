/** What a bookkeeping program itself says about the VAT of a period, to compare with our boxes (decision 70). */
import type { VatBasis } from '@portal/domain/connected-books/books-document.ts';
import type { VatFigureProblem } from '@portal/domain/connected-books/compare-vat.ts';
import type { Pence } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { BooksCopy, CopyOptions } from './books-program.ts';

export type VatFigureRequest = Pick<CopyOptions, 'organisationId' | 'getAccessToken' | 'acquireSlot'> & {
  readonly periodStart: PlainDate;
  readonly periodEnd: PlainDate;
  readonly basis: VatBasis;
  readonly copy: BooksCopy;
};

/**
 * `vatPence`: net VAT of the period, positive is owed to HMRC. `paidPence`: of a VAT account, what was paid to HMRC in the period less what HMRC
 * repaid; it isn't part of `vatPence`.
 */
export type VatFigure = { readonly vatPence: Pence; readonly paidPence: Pence | undefined } | { readonly problem: VatFigureProblem };

/** All objects of a short list of the copy. */
export async function readCopied(copy: BooksCopy, resource: string): Promise<unknown[]> {
  const items: unknown[] = [];
  for await (const page of copy.pages(resource)) items.push(...page);
  return items;
}
