import { LINK_DAYS } from '@portal/domain/authorisations/describe-authorisation.ts';
import type { Article } from './article.ts';

export const PRACTICE_AUTHORITY: Article = {
  key: 'practice-authority',
  title: 'Getting a client’s authorisation at HMRC',
  group: 'Your practice',
  product: 'open_tax',
  pages: ['clientDashboard'],
  words: 'authorise authorisation request link 21 days expired revoked cancel send again 64-8 paye corporation tax',
  write: () => [
    'HMRC only shows you a client’s VAT and Self Assessment once the client has authorised you. The client’s page shows the status of each tax and what to do next.',
    {
      steps: [
        'Create a request. HMRC needs to see that you know the client, so it asks for the VAT registration date for VAT, or the postcode for Self Assessment.',
        'Send the client the link that HMRC creates. They log in at HMRC and answer there.',
        `The client has ${LINK_DAYS} days to answer. We check with HMRC every few hours, and you can check at any time.`,
      ],
    },
    'Until HMRC has answered about a client, its status is “Not checked yet”. “Not authorised” means that HMRC has said so. The client list has a filter for each.',
    'You can send a new request if one expires or is rejected, and cancel one that’s waiting. If a client has already authorised you at HMRC, check with HMRC to find it.',
    'HMRC’s service only covers VAT and Self Assessment. For PAYE and Corporation Tax, form 64-8 is your authority, and the figures come from statements.',
  ],
};
