import type { Article } from './article.ts';

export const PRACTICE_TEAM: Article = {
  key: 'practice-team',
  title: 'Who in the practice sees what',
  group: 'Your practice',
  product: 'open_tax',
  pages: ['practiceSettings', 'practiceStepTeam'],
  words: 'team member admin roles assigned clients export permission rights colleague',
  write: () => [
    'An admin sees and works on every client, imports and exports, and changes the practice and its connections.',
    'A team member sees the clients assigned to them and no others, in every list, count, search, chart, calendar and export. An admin assigns clients in the list of clients, one or many at once.',
    'Every export, import and change is recorded with the person who made it. The whole table of rights is in the settings, under Roles.',
    { link: { label: 'See your settings', page: 'practiceSettings' } },
  ],
};
