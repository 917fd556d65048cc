// Tests that a file without transactions for the next return says so.
import { plainDate } from '@portal/domain/plain-date.ts';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { FileFinding } from './books-upload.tsx';

afterEach(cleanup);

const NEXT = { period: { start: plainDate('2026-08-01'), end: plainDate('2026-10-31') }, due: plainDate('2026-12-07') };

it.each([
  ['2026-04-01', '2026-04-17', true],
  ['2026-11-01', '2026-11-30', true],
  ['2026-04-01', '2026-08-01', false],
  ['2026-08-03', '2026-08-20', false],
])('a file from %s to %s warns that it misses the next period: %s', (first, last, isMissing) => {
  render(<FileFinding file={{ first_date: plainDate(first), last_date: plainDate(last) }} finding={{ status: 'none', next: NEXT }} />);
  expect(screen.queryByText('The file has no transactions for 1 August to 31 October 2026') !== null).toBe(isMissing);
});
