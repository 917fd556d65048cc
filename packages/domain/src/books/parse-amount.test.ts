import { describe, expect, it } from 'vitest';
import { explainAmount, parseAmount } from './parse-amount.ts';

describe('an amount in a books file', () => {
  it.each([
    ['0', 0],
    ['-0.00', 0],
    ['12', 1200],
    ['12.3', 1230],
    ['12.34', 1234],
    ['-12.34', -1234],
    ['1,234.50', 123450],
    ['-1,234,567.89', -123456789],
    [' 7.00 ', 700],
    ['007.10', 710],
    ['99999999999.99', 9999999999999],
  ])('parses %j as %i pence', (text, expected) => {
    expect(Object.is(parseAmount(text), expected)).toBe(true);
  });

  it.each([
    ['', 'isn’t an amount'],
    ['abc', 'isn’t an amount'],
    ['#N/A', 'isn’t an amount'],
    ['12.345', 'leave the point out if it separates thousands'],
    ['1234.567', 'more than two decimal places'],
    ['1,23', 'decimal comma'],
    ['1.234,50', 'decimal comma'],
    ['1,2345', 'misplaced commas'],
    ['12,34.00', 'misplaced commas'],
    ['1,234,5.00', 'misplaced commas'],
    [',123', 'isn’t an amount'],
    ['£12.00', 'currency'],
    ['12.00 GBP', 'currency'],
    ['(12.00)', 'brackets'],
    ['\u221212.00', 'plain hyphen'],
    ['12.00-', 'minus sign at the end'],
    ['+12.00', 'plus sign'],
    ['20%', 'percentage'],
    ['1 234.50', 'contains spaces'],
    ['1e3', 'scientific'],
    ['.50', 'no digits on one side'],
    ['12.', 'no digits on one side'],
    ['--5', 'isn’t an amount'],
    ['1.2.3', 'isn’t an amount'],
    ['100000000000', 'too large'],
    ['٣٤', 'isn’t an amount'],
  ])('rejects %j and says how to fix it: %s', (text, reason) => {
    expect(parseAmount(text)).toBeNaN();
    expect(explainAmount(text)).toContain(reason);
  });

  it('shows only the start of a very long text, without control characters', () => {
    const reason = explainAmount(`x\u0007\n${'y'.repeat(5000)}`);
    expect(reason.length).toBeLessThan(200);
    expect(reason).not.toMatch(/\p{Cc}/u);
  });
});
