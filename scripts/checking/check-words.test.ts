import { describe, expect, it } from 'vitest';
import { findWords } from './check-words.ts';
import { AVOIDED_WORDS } from './words-to-avoid.ts';

describe('words to avoid', () => {
  it('finds them in comments, strings, test titles and names', () => {
    const source = [
      '// Reads the list anew.',
      "const sandboxWorld = 'the double answers';",
      "it('is told at once', () => undefined);",
    ].join('\n');
    expect(findWords('packages/domain/src/example.ts', source)).toEqual([
      expect.stringContaining('packages/domain/src/example.ts:1: "anew": use again'),
      expect.stringContaining(':2: "world"'),
      expect.stringContaining(':2: "the double"'),
      expect.stringContaining(':3: "told"'),
    ]);
  });

  it('finds a phrase that spans two lines of a comment', () => {
    const source = ['/**', ' * What', ' * became of a payout.', ' */', 'export const x = 1;'].join('\n');
    expect(findWords('packages/domain/src/example.ts', source)).toEqual([expect.stringContaining('the result, the outcome')]);
  });

  it('finds them in documents, with their line', () => {
    expect(findWords('docs/example.md', '# Title\n\nWhoever signs in.')).toEqual([expect.stringContaining('docs/example.md:3: "Whoever"')]);
  });

  it('leaves proper uses of similar words alone', () => {
    const source = [
      '// Double entry: each posting sums to zero. A double click is ignored. The delay doubles with each attempt.',
      '// It is no longer valid as long as the account is in handover.',
      "const addendum = 'amended return'; const doubleEntry = 2;",
    ].join('\n');
    expect(findWords('packages/domain/src/example.ts', source)).toEqual([]);
  });

  it('keeps the list short enough to read', () => {
    expect(AVOIDED_WORDS.length).toBeLessThanOrEqual(60);
  });
});
