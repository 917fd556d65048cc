import type { Article } from './article.ts';

export const PRACTICE_CALENDAR: Article = {
  key: 'practice-calendar',
  title: 'Deadlines, weekends and calendar links',
  group: 'Your practice',
  product: 'open_tax',
  pages: ['practiceCalendar'],
  words: 'ical feed outlook google calendar bank holiday weekend deadline secret address due own dates working days',
  write: () => [
    'The calendar shows statutory deadlines for the clients you can see. It also shows your open tasks, and your internal deadlines, which are a number of working days earlier, as set in Settings.',
    'A deadline doesn’t move if it falls on a weekend or bank holiday. Payments by Bacs or CHAPS must reach HMRC by the last working day before.',
    'You can see the deadlines in your own calendar app through a private link: for all clients you can see, or those assigned to you, with the number of your tasks due each day. It doesn’t name any clients. Anyone who has the link can read it, so turn it off in the calendar if it gets shared.',
    { link: { label: 'Go to the calendar', page: 'practiceCalendar' } },
  ],
};
