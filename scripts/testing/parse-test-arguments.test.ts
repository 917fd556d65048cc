import { describe, expect, it } from 'vitest';
import { parseTestArguments } from './parse-test-arguments.ts';

const PARTS = ['unit', 'db'];

describe('the arguments of npm test', () => {
  it.each([
    ['everything', [], { parts: [], fileFilters: [] }],
    ['a part', ['db'], { parts: ['db'], fileFilters: [] }],
    ['one file of a part', ['db', 'partners'], { parts: ['db'], fileFilters: ['partners'] }],
  ])('select %s', (_name, words, selection) => {
    expect(parseTestArguments(words, PARTS)).toEqual(selection);
  });

  it('are rejected without a part, with the parts and what to type', () => {
    expect(parseTestArguments(['untit'], PARTS)).toEqual({ problem: expect.stringMatching(/Unknown part “untit”.*unit, db.*unit untit/) });
  });
});
