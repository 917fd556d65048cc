import { BOOKS_COLUMNS } from '@portal/domain/books/books-row.ts';
import type { Article } from './article.ts';

export const BOOKS: Article = {
  key: 'books',
  title: 'Uploading your books',
  group: 'Returns and HMRC',
  product: 'instant_vat',
  pages: ['stepBookkeeping', 'connections'],
  words: 'csv file spreadsheet template columns transactions upload xero quickbooks freeagent treatment',
  write: () => [
    'We work out your return from a CSV file of your transactions. You can download a template where you upload it. Before we save anything, you see every row we couldn’t read and why.',
    'The file has these columns:',
    { list: BOOKS_COLUMNS },
    'A newer file replaces the older one for periods you haven’t filed yet. Filed returns never change.',
  ],
};
