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
    'Your return is computed from a CSV file of your transactions. The page for it has a template. Before anything is kept, you see every row that we could not read and why.',
    { table: { caption: 'The columns of the file', head: ['Column'], rows: BOOKS_COLUMNS.map((column) => [column]) } },
    'A newer file takes the place of the older one for periods that are not filed. Filed returns never change.',
  ],
};
