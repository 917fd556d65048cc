import { describe, expect, it } from 'vitest';
import { PARTNER_MAX_AGE_SECONDS, parseTouches, formatTouches } from './partner-touches.ts';

describe('the partner touches cookie', () => {
  it('parses to the values it was written from', () => {
    const [first, last] = [
      { partner: 'my partner', at: 1_795_000_000 },
      { partner: 'swoop', at: 1_795_100_000 },
    ];
    const value = formatTouches(first, last);
    expect(value).toBe('my%20partner@1795000000~swoop@1795100000');
    expect(parseTouches(value)).toEqual({ first, last });
    expect(parseTouches(decodeURIComponent(value))).toEqual({ first, last });
  });

  it.each([
    '',
    'swoop',
    'swoop@',
    '@1',
    'swoop@1e9',
    'swoop@-1',
    'Swoop@1',
    '<b>@1',
    `${'x'.repeat(61)}@1`,
    'swoop@123456789012',
    '%E0%A4%A@1',
  ])('gives no arrivals when it is %j', (value) => {
    expect(parseTouches(value)).toEqual({ first: undefined, last: undefined });
  });

  it('lasts 30 days, in seconds (docs/product/specification.md section 9, which calls it ms; docs/product/decisions.md section 7)', () => {
    expect(PARTNER_MAX_AGE_SECONDS).toBe(30 * 24 * 60 * 60);
  });
});
