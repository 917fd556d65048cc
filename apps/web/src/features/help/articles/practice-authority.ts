import { LINK_DAYS } from '@portal/domain/authorisations/describe-authorisation.ts';
import type { Article } from './article.ts';

export const PRACTICE_AUTHORITY: Article = {
  key: 'practice-authority',
  title: 'Asking a client for authority at HMRC',
  group: 'Your practice',
  product: 'open_tax',
  pages: ['clientDashboard'],
  words: 'authorise authorisation request link 21 days expired revoked cancel send again 64-8 paye corporation tax',
  write: () => [
    'HMRC shows you a client’s VAT and Self Assessment only after the client has said yes. The page of a client shows, tax by tax, where that stands and what to do next.',
    {
      steps: [
        'Send a request. HMRC wants to see that you know the client: the VAT registration date for VAT, the postcode for Self Assessment.',
        'Give the client the link that HMRC makes. They log in at HMRC and answer there.',
        `The client has ${LINK_DAYS} days. We ask HMRC for the answer every few hours; “Check with HMRC” asks at once.`,
      ],
    },
    'A request that ran out or was refused can be sent anew. One that waits can be taken back. A client whom you look after already at HMRC is found by “Check with HMRC”.',
    'HMRC’s service covers VAT and Self Assessment alone. For PAYE and corporation tax your authority is form 64-8, and the figures come from statements.',
  ],
};
