import type { Article } from './article.ts';

export const PRACTICE_FIGURES: Article = {
  key: 'practice-figures',
  title: 'Where figures come from, and how up to date they are',
  group: 'Your practice',
  product: 'open_tax',
  pages: ['practiceDashboard', 'practiceClients', 'clientDashboard', 'taxStatements'],
  words: 'source refresh sync stale statement vat paye corporation tax self assessment estimate interest penalty points hmrc old failed',
  write: () => [
    {
      table: {
        caption: 'Sources for each tax',
        head: ['Tax', 'Figures from', 'Dates from'],
        rows: [
          ['VAT', 'HMRC, when someone in your practice refreshes VAT', 'HMRC'],
          ['Self Assessment', 'HMRC, when someone in your practice refreshes Self Assessment', 'HMRC and the statutory rules'],
          ['PAYE', 'Statements you import', 'The statutory rules'],
          ['Corporation Tax', 'Statements you import', 'The statutory rules, with periods from Companies House'],
        ],
      },
    },
    'Every figure shows its source and time. We never present a figure from a statement or a rule as HMRC’s. We calculate interest and penalties to date ourselves, and label them as our estimate.',
    'We only contact HMRC when someone starts a refresh, and for a few clients a second, so large practices take a while. The page shows progress, and you can leave it. If we can’t update a client, we keep its previous figures with their date and show the reason.',
    'A statement covers everything for that client and tax, so a newer one replaces the previous one.',
  ],
};
