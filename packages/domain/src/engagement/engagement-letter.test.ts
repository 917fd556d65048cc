import { describe, expect, it } from 'vitest';
import { fillLetter, getLetterState, isFullName, listUnknownLetterFields } from './engagement-letter.ts';

const FIELD_VALUES = { client: 'Harlow {sender} Ltd', practice: 'Oakline', sender: 'Ann', date: '7 March 2026', taxes: 'VAT' };

describe('a letter of engagement', () => {
  it('has its fields filled in once, even where a value looks like a field', () => {
    expect(fillLetter('Dear {client}, {practice} {date} {taxes} {sender} {other}', FIELD_VALUES)).toBe(
      'Dear Harlow {sender} Ltd, Oakline 7 March 2026 VAT Ann {other}',
    );
  });

  it('names the fields of its template that don’t exist', () => {
    expect(listUnknownLetterFields('{client} {Client} {fee}, {fee}')).toEqual(['Client', 'fee']);
  });

  it.each([
    [null, null, 'unsigned'],
    ['2026-01-01', null, 'signed'],
    ['2026-01-01', '2026-02-01', 'superseded'],
    [null, '2026-02-01', 'superseded'],
  ])('signed %s and superseded %s is %s', (signedAt, supersededAt, state) => {
    expect(getLetterState({ signedAt, supersededAt })).toBe(state);
  });

  it.each([
    ['Carl Harlow', true],
    ['Siân  ap Rhys', true],
    ['Carl', false],
    ['Carl .', false],
    ['', false],
  ])('is signed with a full name: %s', (name, isFull) => {
    expect(isFullName(name)).toBe(isFull);
  });
});
