// Tests that the landing page accepts and rejects the same email addresses as the next page, which uses the contract.
import { emailScalar } from '@portal/contract/scalars.ts';
import { describe, expect, it } from 'vitest';
import { getEmailError } from './email-error.ts';

describe('the email of the sign-up dialog', () => {
  it.each([
    '',
    '   ',
    'tessa',
    'tessa@',
    'tessa@brightwell',
    'tessa@brightwell.example',
    ' Tessa@Brightwell.Example ',
    "o'neil+vat@sub.example.co.uk",
    '.tessa@brightwell.example',
    'tes..sa@brightwell.example',
    'tessa@-brightwell.example',
    'tessa bright@brightwell.example',
    `${'a'.repeat(250)}@b.example`,
  ])('validates %j like the contract', (text) => {
    const contractResult = emailScalar.safeParse(text);
    expect(getEmailError(text)).toBe(contractResult.success ? undefined : contractResult.error.issues[0]?.message);
  });

  it('uses the specification’s messages', () => {
    expect(getEmailError(' ')).toBe('Email is required');
    expect(getEmailError('x')).toBe('Invalid email address');
  });
});
