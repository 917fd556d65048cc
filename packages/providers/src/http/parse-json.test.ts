import { expect, it } from 'vitest';
import { parseJson } from './parse-json.ts';

it('returns what a provider sent', () => {
  expect(parseJson('{"name":"Zoë \\ud83d\\ude00","amounts":[1,2.5]}')).toEqual({ name: 'Zoë 😀', amounts: [1, 2.5] });
});

it('leaves out what PostgreSQL can’t store, and keeps the rest', () => {
  expect(parseJson(String.raw`{"lines":[{"text":"Pens\u0000 and \uD83D ink"}],"id":"a\u0000b"}`)).toEqual({
    lines: [{ text: 'Pens and \uFFFD ink' }],
    id: 'ab',
  });
});

it.each(['', '{', '<html>', '{"a":\u0000}'])('returns nothing for %j', (text) => {
  expect(parseJson(text)).toBeUndefined();
});
