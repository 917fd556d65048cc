import type { Article } from './article.ts';

export const CONTACT: Article = {
  key: 'contact',
  title: 'Reaching us, and complaining',
  group: 'When something goes wrong',
  pages: ['contact'],
  words: 'phone email e-mail support chat complaint complain help person',
  write: () => [
    'Write to us whenever something here is not clear. A person answers.',
    'If you are not happy with what we did, say that it is a complaint. Somebody who was not part of it looks at it and answers in writing.',
    { link: { label: 'Contact us', page: 'contact' } },
  ],
};
