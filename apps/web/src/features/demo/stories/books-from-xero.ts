/** A refund whose return is calculated from books in Xero, without a file. */
import { NORMAL_REFUND } from './normal-refund.ts';
import type { Story } from './story.ts';

export const BOOKS_FROM_XERO: Story = {
  ...NORMAL_REFUND,
  key: 'books-from-xero',
  title: 'Books straight from Xero',
  books: { ...NORMAL_REFUND.books, file_name: 'Xero: Albion Demo Ltd', program: 'xero' },
};
