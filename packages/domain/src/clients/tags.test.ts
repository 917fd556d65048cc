import { expect, it } from 'vitest';
import { MAX_TAGS, parseTags } from './tags.ts';

it.each([
  [['  Payroll   bureau ', ''], ['Payroll bureau']],
  [
    ['VIP', 'vip', 'New'],
    ['VIP', 'New'],
  ],
  [[], []],
])('stores %j as %j', (texts, tags) => {
  expect(parseTags(texts)).toEqual({ ok: true, value: tags });
});

it.each([
  [['a, b'], 'Use a few words without commas for the tag.'],
  [['x'.repeat(31)], `Tags can have at most 30 characters. Shorten “${'x'.repeat(31)}”.`],
  [Array.from({ length: MAX_TAGS + 1 }, (_, place) => `tag ${place}`), 'A client can have at most 10 tags. Remove one first.'],
])('rejects %j and says how to fix it', (texts, reason) => {
  expect(parseTags(texts)).toEqual({ ok: false, reason });
});
