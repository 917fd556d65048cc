// Tests the initials (docs/product/specification.md section 5, "Avatar initials").
import { describe, expect, it } from 'vitest';
import { getInitials } from './initials.ts';

describe('initials', () => {
  it.each([
    ['Brightwell Exports Ltd', 'BE'],
    ['  oakline   accounting ', 'OA'],
    ['Harlow', 'H'],
    ['', ''],
  ])('of %j are %j', (name, initials) => {
    expect(getInitials(name)).toBe(initials);
  });
});
