import type { Article } from './article.ts';

export const PRACTICE_FIGURES: Article = {
  key: 'practice-figures',
  title: 'Where each figure comes from, and how old it is',
  group: 'Your practice',
  product: 'open_tax',
  pages: ['practiceDashboard', 'practiceClients', 'clientDashboard', 'taxStatements'],
  words: 'source refresh sync stale statement vat paye corporation tax self assessment estimate interest penalty points hmrc old failed',
  write: () => [
    {
      table: {
        caption: 'The four taxes',
        head: ['Tax', 'Figures from', 'Dates from'],
        rows: [
          ['VAT', 'HMRC, when one of you presses “Refresh VAT”', 'HMRC'],
          ['Self Assessment', 'HMRC, when one of you presses “Refresh Self Assessment”', 'HMRC, and the rules'],
          ['PAYE', 'The statements you import', 'The rules'],
          ['Corporation tax', 'The statements you import', 'The rules, with periods from Companies House'],
        ],
      },
    },
    'Every figure names its source and its time. A figure of a statement or a rule is never shown as HMRC’s. Interest and penalties to date are computed by us and marked as such.',
    'HMRC is asked only on a person’s press, a few clients a second, so a large practice takes a while: the page shows how far it is, and you can leave it. A client that could not be read keeps the figures of before, with their date, and says why.',
    'A statement is the whole picture of a client for its tax: a newer one takes the place of the one before.',
  ],
};
