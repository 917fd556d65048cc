import { REQUEST_LINK_TTL_DAYS } from '@portal/domain/authorisations/describe-authorisation.ts';
import { REMINDER_DAYS_BEFORE } from '@portal/domain/authorisations/request-email.ts';
import type { Article } from './article.ts';

export const PRACTICE_AUTHORITY: Article = {
  key: 'practice-authority',
  title: 'Getting a client’s HMRC authorisation',
  group: 'Your practice',
  product: 'open_tax',
  pages: ['clientDashboard'],
  words: 'email reminder authorise authorisation request link 21 days expired revoked cancel send again 64-8 paye corporation tax',
  write: () => [
    'HMRC only shows you a client’s VAT and Self Assessment once the client has authorised you. The client’s page shows the status of each tax and what to do next.',
    {
      steps: [
        'Create a request. HMRC needs to see that you know the client, so it asks for the VAT registration date for VAT, or the postcode for Self Assessment.',
        'We email the client the link that HMRC creates: through your own mailbox if it’s connected, otherwise from our address with replies to you. An admin can switch this off on the page where requests are created; you then copy the link and send it yourself.',
        'The client logs in at HMRC and responds there. They also see the request in the client portal, if they use it.',
        `The client has ${REQUEST_LINK_TTL_DAYS} days to respond. We check with HMRC every few hours, and you can check at any time. On day ${REQUEST_LINK_TTL_DAYS - REMINDER_DAYS_BEFORE + 1} we remind the client once, if HMRC is still waiting for a response.`,
      ],
    },
    'Next to each request you can see whether it was emailed, to whom and when. If it wasn’t, you see why: the client has no email address, or its mail server rejected it. Correct the address, then email it again. If an email may have been sent, only you can send it again.',
    'Until HMRC has given us a client’s status, it’s “Not checked yet”. “Not authorised” means HMRC has confirmed it. The client list has a filter for each.',
    'You can send a new request if one expires or is rejected, and cancel one that’s waiting. If a client has already authorised you at HMRC, check with HMRC to find it.',
    'HMRC’s service only covers VAT and Self Assessment. For PAYE and Corporation Tax, form 64-8 gives you authority, and the figures come from statements.',
  ],
};
