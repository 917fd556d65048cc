import { describe, expect, it } from 'vitest';
import { parseMobileNumber } from './parse-mobile-number.ts';

describe('a mobile number', () => {
  it.each([
    ['07911 123456', '+447911123456'],
    [' 07911123456\n', '+447911123456'],
    ['+44 7911 123456', '+447911123456'],
    ['+44 (0)7911 123456', '+447911123456'],
    ['0044 7911 123456', '+447911123456'],
    ['447911123456', '+447911123456'],
    ['(07911) 123-456', '+447911123456'],
    ['07911.123.456', '+447911123456'],
    ['+353 85 123 4567', '+353851234567'],
    ['00 33 6 12 34 56 78', '+33612345678'],
    ['+1 415 555 2671', '+14155552671'],
    ['07624 123456', '+447624123456'],
  ])('parses %j as %s', (text, e164) => {
    expect(parseMobileNumber(text)).toEqual({ ok: true, value: e164 });
  });

  it.each([
    ['', /^Enter a mobile number/],
    ['call me on 07911 123456', /isn’t a phone number/],
    ['07911 123456; drop table users', /isn’t a phone number/],
    ['0'.repeat(60), /isn’t a phone number/],
    ['+44', /isn’t a phone number/],
    ['07911 123456 ext 3', /extension/],
    ['+1 415 555', /too few digits/],
    ['0791112345', /has 11 digits, but this one has 10/],
    ['+447911 123456 7', /has 11 digits, but this one has 12/],
    ['+33 6 12 34 56 78 9', /too many digits/],
    ['07700 900123', /reserved for film and TV/],
    ['076 1234 5678', /This number isn’t in use/],
    ['020 7946 0958', /landline/],
    ['+33 1 42 68 53 00', /landline/],
    ['0800 123 4567', /isn’t a mobile number/],
    ['070 1234 5678', /isn’t a mobile number/],
    ['056 1234 5678', /isn’t a mobile number/],
  ])('rejects %j with a message', (text, reason) => {
    expect(parseMobileNumber(text)).toEqual({ ok: false, reason: expect.stringMatching(reason) });
  });
});
