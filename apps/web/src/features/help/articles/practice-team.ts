import type { Article } from './article.ts';

export const PRACTICE_TEAM: Article = {
  key: 'practice-team',
  title: 'What each role can see and do',
  group: 'Your practice',
  product: 'open_tax',
  pages: ['practiceSettings', 'practiceStepTeam'],
  words: 'team member admin roles assigned clients export permission rights colleague',
  write: () => [
    'Admins can see and work on every client, import and export, and change the practice and its connections.',
    'Team members can only see the clients assigned to them, in every list, count, search, chart, calendar and export. Admins assign clients in the client list, one or many at a time.',
    'We record who made every export, import and change. Settings lists all permissions by role.',
    { link: { label: 'Go to settings', page: 'practiceSettings' } },
  ],
};
