import type { Article } from './article.ts';

export const PRACTICE_CALENDAR: Article = {
  key: 'practice-calendar',
  title: 'Deadlines, weekends and your own calendar',
  group: 'Your practice',
  product: 'open_tax',
  pages: ['practiceCalendar'],
  words: 'ical feed outlook google calendar bank holiday weekend deadline secret address due own dates working days',
  write: () => [
    'The calendar shows the statutory deadlines of the clients you may see, and your own dates so many working days before them, as the settings say.',
    'A deadline does not move when it falls on a weekend or a bank holiday. What is paid by Bacs or CHAPS must have reached HMRC by the last working day before.',
    'Your calendar program can read the deadlines from a secret address. It names no client. Whoever has the address can read it: take it back in the calendar if it got around.',
    { link: { label: 'See the calendar', page: 'practiceCalendar' } },
  ],
};
