// Tests the integer input (docs/product/specification.md section 5, "Integer input").
import { describe, expect, it } from 'vitest';
import { parseIntegerInput } from './integer-input.ts';

describe('an integer input', () => {
  it.each(['', ' ', '\t'])('parses %j as blank', (text) => {
    expect(parseIntegerInput(text)).toEqual({ ok: true, value: undefined });
  });

  it.each([
    ['0', 0],
    ['7', 7],
    [' 42 ', 42],
    ['007', 7],
    ['-3', -3],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ])('parses %j as %i', (text, number) => {
    expect(parseIntegerInput(text)).toEqual({ ok: true, value: number });
  });

  it.each(['abc', '12a', '1,000', '12.5', '1e3', '0x10', '-', '--1', '٣', 'NaN', 'Infinity', '9007199254740993'])('rejects %j', (text) => {
    expect(parseIntegerInput(text)).toEqual({ ok: false, reason: 'Invalid number' });
  });
});
