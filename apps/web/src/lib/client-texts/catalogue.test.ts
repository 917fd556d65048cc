import type { Instant } from '@portal/domain/clock.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { expect, it } from 'vitest';
import { createTexts } from './catalogue.ts';

it('fills values in, chooses plural forms by the language’s rules, and writes dates in its words', () => {
  const english = createTexts('en-GB', { hello: 'Hello {name}', files: { one: '{count} file', other: '{count} files' } });
  expect(english.text('hello', { name: 'Mair {x}' })).toBe('Hello Mair {x}');
  expect([1, 2, 1200].map((count) => english.text('files', { count }))).toEqual(['1 file', '2 files', '1,200 files']);
  expect(english.date(plainDate('2026-03-07'))).toBe('7 March 2026');
  expect(english.instant('2026-07-07T23:30:00.000Z' as Instant)).toMatch(/^8 July 2026 at 00:30$/);
  // Welsh has six plural forms, which code written for English doesn't handle.
  const welsh = createTexts('cy', {
    files: {
      zero: '{count} ffeiliau',
      one: '{count} ffeil',
      two: '{count} ffeil (2)',
      few: 'few',
      many: 'many',
      other: '{count} o ffeiliau',
    },
  });
  expect([0, 1, 2, 3, 6, 11].map((count) => welsh.text('files', { count }))).toEqual([
    '0 ffeiliau',
    '1 ffeil',
    '2 ffeil (2)',
    'few',
    'many',
    '11 o ffeiliau',
  ]);
  expect(welsh.date(plainDate('2026-03-07'))).toContain('Mawrth');
});
