import { BOOKS_COLUMNS } from '@portal/domain/books/books-row.ts';
import { COLUMN_HELP, describeTreatments } from '@portal/domain/books/books-template.ts';
import type { Article } from './article.ts';

export const BOOKS: Article = {
  key: 'books',
  title: 'Uploading your books',
  group: 'Returns and HMRC',
  product: 'instant_vat',
  pages: ['stepBookkeeping', 'connections'],
  words: 'csv file spreadsheet template columns transactions upload xero quickbooks freeagent treatment',
  write: () => [
    'We work out your return from a file of your transactions: CSV or Excel, from any program. Titles above the headings, semicolons and £ signs are fine. If we can’t tell what a column means, we ask once and remember your answer.',
    'Each row is one line of a document. These are the columns:',
    { list: BOOKS_COLUMNS.map((column) => `${column}: ${COLUMN_HELP[column]}`) },
    'The VAT treatments, each with an example:',
    { list: describeTreatments() },
    'If some rows can’t be read, nothing is changed. You see each kind of error once, with its rows. If the file covers only part of a period, we say so before we use it.',
    'A newer file replaces the older one for periods you haven’t filed yet. Filed returns never change: rows that are dated in a filed period but aren’t in its return are offered for your next return.',
  ],
};
