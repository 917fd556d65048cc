import type { Article } from './article.ts';

export const PRIVACY: Article = {
  key: 'privacy',
  title: 'What we store about you',
  group: 'Your account',
  pages: ['profile', 'privacy', 'cookieChoices'],
  words: 'data protection gdpr cookies delete copy rights personal consent download export close account erase',
  write: () => [
    'We store what the service needs: who you are, your company, your VAT figures and what you’ve done here. The data policy lists everything we store, why, who sees it and for how long.',
    'We only store optional items in your browser if you allow them. You can change your mind at any time.',
    'You can download everything we store about you in your profile under “Your details”, and about your company under “Company”. Practices find theirs in Settings under “Practice”. You can also close the account there. The page shows what must be settled first, what ends, and what the law requires us to keep and until when.',
    { link: { label: 'Read the data policy', page: 'privacy' } },
    { link: { label: 'Change your cookie choices', page: 'cookieChoices' } },
  ],
};
