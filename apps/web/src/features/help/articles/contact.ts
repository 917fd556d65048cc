import type { Article } from './article.ts';

export const CONTACT: Article = {
  key: 'contact',
  title: 'Contacting us and making a complaint',
  group: 'If something goes wrong',
  pages: ['contact'],
  words: 'phone email e-mail support chat complaint complain help person',
  write: () => [
    'If something here isn’t clear, contact us. A member of our team will reply.',
    'If you’re not happy with something we did, tell us it’s a complaint. Someone who wasn’t involved will look into it and reply in writing.',
    { link: { label: 'Contact us', page: 'contact' } },
  ],
};
