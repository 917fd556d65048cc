import { BOOKS_COLUMNS } from '@portal/domain/books/books-row.ts';
import { COLUMN_HELP, describeTreatments } from '@portal/domain/books/books-template.ts';
import type { Article } from './article.ts';

export const BOOKS: Article = {
  key: 'books',
  title: 'Your books',
  group: 'Returns and HMRC',
  product: 'instant_vat',
  pages: ['stepBookkeeping', 'connections', 'books'],
  words:
    'connect organisation flat rate cash accounting draft csv file spreadsheet template columns transactions upload xero quickbooks freeagent treatment',
  write: () => [
    'Connect Xero, QuickBooks or FreeAgent, and we’ll work out the nine boxes from your documents. We only read your data. Xero enforces this; QuickBooks and FreeAgent only offer apps full access. You choose the organisation, and its VAT number must be your company’s. Each transaction in a box links to the document in your bookkeeping software. If you signed up with Xero, you’ve already given this permission: just choose the organisation when you add your company.',
    'We check for changes every hour, and when you press “Check for changes now”. Documents you haven’t approved aren’t included, and we list them. If we can’t be sure what a VAT rate in your bookkeeping software means, we ask once and remember your answer.',
    'Your return also shows whether its VAT agrees with your bookkeeping software: the VAT account in Xero or QuickBooks, or the VAT return in FreeAgent. If it doesn’t, it shows the difference and what explains it. You can file either way.',
    'Flat rate scheme returns can’t be worked out from documents, and QuickBooks doesn’t give us enough information for cash accounting: upload a file instead. KashFlow can’t be connected, so export a file from it.',
    'You can also upload a file of your transactions: CSV or Excel, from any software. Titles above the headings, semicolons and £ signs are fine. If we can’t tell what a column means, we ask once and remember your answer.',
    'Each row is one line of a document. The columns are:',
    { list: BOOKS_COLUMNS.map((column) => `${column}: ${COLUMN_HELP[column]}`) },
    'The VAT treatments, each with an example:',
    { list: describeTreatments() },
    'If some rows can’t be read, nothing is changed. Each kind of error is shown once, with its rows. If the file covers only part of a period, we tell you before we use it.',
    'A newer file replaces the older one for periods you haven’t filed yet. Filed returns never change: rows dated in a filed period but missing from its return are offered for your next return.',
  ],
};
