import { describe, expect, it } from 'vitest';
import { compareCompanyNames, comparePersonNames, getWeakestMatch } from './compare-names.ts';

describe('company names', () => {
  it.each([
    ['Sandpiper Seafood Ltd', 'SANDPIPER SEAFOOD LIMITED', 'match'],
    ['The Sandpiper Seafood Company Limited', 'Sandpiper Seafood Co. Ltd', 'match'],
    ['Harlow & Sons Timber Limited', 'HARLOW AND SONS TIMBER LTD.', 'match'],
    ['O’Brien’s Café Ltd', 'OBRIENS CAFE LIMITED', 'match'],
    ['Sea Food Ltd', 'Seafood Limited', 'match'],
    ['Brightwell Exports Ltd', 'Brightwell Exports', 'match'],
    ['Fenwick Tools Public Limited Company', 'Fenwick Tools PLC', 'match'],
    ['Penrose Whitlock LLP', 'Penrose Whitlock Limited Liability Partnership', 'match'],
    ['Cwmni Afon Cyfyngedig', 'CWMNI AFON CYF', 'match'],
    // Compares the registered name and ignores the trading name.
    ['Harbour Foods Ltd t/a The Crab Shack', 'HARBOUR FOODS LIMITED', 'match'],
    ['Harbour Foods Ltd trading as Crab Shack', 'The Crab Shack', 'close'],
    ['Sandpiper', 'Sandpiper Seafood Ltd', 'close'],
    ['Sandpiper Seafood Ltd', 'Seafood Sandpiper Ltd', 'close'],
    ['Sandpiper Seafod Ltd', 'Sandpiper Seafood Ltd', 'close'],
    ['Penrose Ltd', 'Penrose LLP', 'close'],
    ['Oakline Group Limited', 'Oakline Limited', 'close'],
    ['Kestrel Textiles Ltd', 'Sandpiper Seafood Ltd', 'none'],
    ['Kestrel Textiles Ltd', 'Kestrel Marine Ltd', 'none'],
    ['Services Ltd', 'Sandpiper Services Ltd', 'none'],
    ['AB Ltd', 'AC Ltd', 'none'],
    ['Jack Ridley', 'Sandpiper Seafood Ltd', 'none'],
    ['', 'Sandpiper Seafood Ltd', 'none'],
    ['Limited', 'Ltd', 'none'],
  ] as const)('%s and %s: %s', (a, b, expected) => {
    expect(compareCompanyNames(a, b)).toBe(expected);
    expect(compareCompanyNames(b, a)).toBe(expected);
  });

  it('count as different if any two of them are', () => {
    expect(getWeakestMatch(['match', 'close'])).toBe('close');
    expect(getWeakestMatch(['match', 'none', 'close'])).toBe('none');
    expect(getWeakestMatch([])).toBe('match');
  });
});

describe('people’s names', () => {
  it.each([
    ['Tessa Bright', 'BRIGHT, Tessa', 'match'],
    ['Ms Tessa Jane Bright', 'BRIGHT, Tessa', 'match'],
    ['Mr Owen James Bright', 'BRIGHT, Owen James', 'match'],
    ['Siân O’Neill', 'ONEILL, Sian', 'match'],
    ['Anna Smith-Jones', 'SMITH JONES, Anna', 'match'],
    ['Tom Reed', 'REED, Thomas', 'close'],
    ['T Reed', 'REED, Thomas', 'close'],
    ['Owen Bright', 'BRIGHT, Tessa', 'none'],
    ['Tessa Bright', 'LANE, Marcus', 'none'],
    ['Bright', 'BRIGHT, Tessa', 'none'],
    ['Tessa Bright', 'KESTREL NOMINEES LIMITED', 'none'],
  ] as const)('%s and %s: %s', (enteredName, registeredName, expected) => {
    expect(comparePersonNames(enteredName, registeredName)).toBe(expected);
  });
});
