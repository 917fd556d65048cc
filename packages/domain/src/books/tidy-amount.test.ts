import { describe, expect, it } from 'vitest';
import { parseAmount } from './parse-amount.ts';
import { normaliseAmount } from './tidy-amount.ts';

describe('amounts as people write them', () => {
  it.each([
    ['£1,234.50', 123_450],
    ['-£12.00', -1_200],
    ['£-12.00', -1_200],
    ['(£1,234.50)', -123_450],
    ['(12)', -1_200],
    ['£(1,234.50)', -123_450],
    ['1,234.500', 123_450],
    ['0.500', 50],
    ['\u221212.34', -1_234],
    ['12.34-', -1_234],
    ['+12.34', 1_234],
    ['1 234.50', 123_450],
    ['1\u00a0234,50', 123_450],
    ['1.234,50', 123_450],
    ['1234,5', 123_450],
    ['GBP 1,234.50', 123_450],
    ['1,234.50 GBP', 123_450],
    ['0.1000', 10],
    ['.50', 50],
    ['12.', 1_200],
    ['1,234', 123_400],
    ["1'234.50", 123_450],
  ])('reads %j as %i pence', (text, pence) => {
    expect(parseAmount(normaliseAmount(text))).toBe(pence);
  });

  it.each(['-', '\u2014', '--'])('reads %j as empty', (text) => {
    expect(normaliseAmount(text)).toBe('');
  });

  it.each([
    '$12.00',
    '€12,00',
    '12.345',
    '1.200',
    '-12.500',
    '£(12',
    '1,23,4.00',
    '12%',
    '£1,234.50 CR',
    '(12',
    '12)',
    '(-12)',
    '-12-',
    'abc',
    '1.2.3',
    '1e3',
    '£',
  ])('does not guess at %j', (text) => {
    expect(parseAmount(normaliseAmount(text))).toBeNaN();
  });
});
