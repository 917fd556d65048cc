import type { Article } from './article.ts';

export const PRIVACY: Article = {
  key: 'privacy',
  title: 'What we keep about you',
  group: 'Your account',
  pages: ['profile', 'privacy', 'cookieChoices'],
  words: 'data protection gdpr cookies delete copy rights personal consent',
  write: () => [
    'We keep what the service needs: who you are, your company, your VAT figures, and what you did here. The data policy lists all of it, why, who sees it and for how long.',
    'Nothing that the service can do without is kept in your browser before you allow it. You can change your choice at any time.',
    { link: { label: 'Read the data policy', page: 'privacy' } },
    { link: { label: 'Change your cookie choices', page: 'cookieChoices' } },
  ],
};
