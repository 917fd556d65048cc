import { PAGES } from '@portal/contract/pages.ts';
import type { BooksFile } from '@portal/contract/books.ts';
import type { Tx } from '@portal/db/database.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import type { AppDeps } from '../../app-deps.ts';
import { enqueueEmailToOwners } from '../../mail/enqueue-email.ts';

type AppliedFile = Pick<BooksFile, 'file_name' | 'rows' | 'first_date' | 'last_date' | 'flagged'>;

/** Emails each owner of the company that the file was applied. */
export function enqueueBooksEmail(deps: AppDeps, tx: Tx, companyId: string, file: AppliedFile): Promise<void> {
  const { rows, flagged, first_date: first, last_date: last } = file;
  return enqueueEmailToOwners(deps, tx, companyId, ({ name }) => ({
    subject: `${name}: we’ve received your books`,
    preheader: `${formatCount(rows)} from ${file.file_name}`,
    heading: 'We’ve received your books',
    paragraphs: [
      `${name}’s VAT returns now use the figures from this file. Nothing is filed until you file it.`,
      ...(flagged > 0 ? ['Some transactions look like duplicates. They’re flagged in the return so you can check them.'] : []),
    ],
    facts: [
      ['File', file.file_name],
      ['Transactions', rows.toLocaleString('en-GB')],
      ...(first === null || last === null ? [] : [['Dates', `${formatDate(first)} to ${formatDate(last)}`] as const]),
      ...(flagged > 0 ? [['To check', formatCount(flagged)] as const] : []),
    ],
    action: { label: 'Check your figures', path: `${PAGES.dashboard.path}?${new URLSearchParams({ company_id: companyId })}` },
  }));
}

function formatCount(count: number): string {
  return count === 1 ? '1 transaction' : `${count.toLocaleString('en-GB')} transactions`;
}
