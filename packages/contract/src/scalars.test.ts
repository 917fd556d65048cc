import { describe, expect, it } from 'vitest';
import { accountNumberScalar, createCodeScalar, sortCodeScalar } from './scalars.ts';

describe('numbers as people type, paste and dictate them', () => {
  it.each(['200000', '20-00-00', '20 00 00', '20–00–00', '20.00.00', ' 20-00-00\u200b'])('accept the sort code %j', (text) => {
    expect(sortCodeScalar.parse(text)).toBe('200000');
  });

  it.each(['55779911', '5577 9911', '55-77-99-11', '55779911\u00a0'])('accept the account number %j', (text) => {
    expect(accountNumberScalar.parse(text)).toBe('55779911');
  });

  it.each(['123456', '123 456', '123-456'])('accept the code %j', (text) => {
    expect(createCodeScalar(/^\d{6}$/, 'Enter the code').parse(text)).toBe('123456');
  });

  it.each(['5577991', 'five5779911', '£55779911'])('reject the account number %j, which may be another one', (text) => {
    expect(accountNumberScalar.safeParse(text).error?.issues[0]?.message).toBe('Enter an 8-digit account number');
  });
});
