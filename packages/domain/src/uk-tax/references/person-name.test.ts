import { describe, expect, it } from 'vitest';
import { toPersonName } from './person-name.ts';

describe('a person’s name at Companies House', () => {
  it.each([
    ['BRIGHT, Tessa', 'Tessa Bright'],
    ['BRIGHT, Owen James', 'Owen James Bright'],
    ['Victor LANGLEY', 'Victor Langley'],
    ['Ms Tessa Bright', 'Ms Tessa Bright'],
    ['O’NEILL-MCDONALD, Siân', 'Siân O’Neill-McDonald'],
    ['J A SMITH', 'J A Smith'],
  ])('%s is shown as %s', (registerName, shownName) => {
    expect(toPersonName(registerName)).toBe(shownName);
  });
});
