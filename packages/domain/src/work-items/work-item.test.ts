import { describe, expect, it } from 'vitest';
import { plainDate } from '../plain-date.ts';
import { findMentions, MAX_MENTIONS } from './work-item.ts';
import { BUILT_IN_TEMPLATES, getStepDueOn, MAX_TEMPLATE_STEPS } from './work-template.ts';

const colleagues = [
  { userId: 'priya', fullName: 'Priya Shah' },
  { userId: 'ann', fullName: 'Ann Lee' },
  { userId: 'anna', fullName: 'Ann Lee Jones' },
  { userId: 'tom1', fullName: 'Tom O’Neil' },
  { userId: 'tom2', fullName: 'Tom O’Neil' },
  { userId: 'unnamed', fullName: ' ' },
];

describe('a comment mentions', () => {
  it.each([
    ['a colleague by the full name, in any capitals', 'Please check, @priya shah: box 4 is high', ['priya']],
    ['the longest name that fits', '@Ann Lee Jones has it', ['anna']],
    ['the shorter one where only that is written', '@Ann Lee, thanks', ['ann']],
    ['no one by a part of a longer word', '@Priya Shahs and priya shah', []],
    ['no one by an email address of another domain', 'priya@example.com @ everyone', []],
    ['both colleagues of one name', '@Tom O’Neil', ['tom1', 'tom2']],
    ['each once', '@Priya Shah @Priya Shah', ['priya']],
  ])('%s', (_, text, expected) => expect(findMentions(text, colleagues)).toEqual(expected));

  it('at most as many colleagues as the limit', () => {
    const manyColleagues = Array.from({ length: 60 }, (_, index) => ({ userId: `${index}`, fullName: `Person ${index} X` }));
    expect(findMentions(manyColleagues.map(({ fullName }) => `@${fullName}`).join(' '), manyColleagues)).toHaveLength(MAX_MENTIONS);
  });
});

describe('the built-in templates', () => {
  it('have unique keys and steps within the limits', () => {
    expect(new Set(BUILT_IN_TEMPLATES.map(({ key }) => key)).size).toBe(BUILT_IN_TEMPLATES.length);
    for (const { steps } of BUILT_IN_TEMPLATES) expect(steps.length).toBeGreaterThan(0);
    for (const { steps } of BUILT_IN_TEMPLATES) expect(steps.length).toBeLessThanOrEqual(MAX_TEMPLATE_STEPS);
  });

  it('count days from the day that a person enters', () => {
    expect(getStepDueOn({ days: -3 }, plainDate('2026-03-02'))).toBe('2026-02-27');
  });
});
