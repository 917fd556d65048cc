// The landing page must refuse and accept exactly what the next page, by the contract, does.
import { emailScalar } from '@portal/contract/scalars.ts';
import { describe, expect, it } from 'vitest';
import { emailProblem } from './email-text.ts';

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
  ])('%j is judged as the contract judges it', (text) => {
    const byContract = emailScalar.safeParse(text);
    expect(emailProblem(text)).toBe(byContract.success ? undefined : byContract.error.issues[0]?.message);
  });

  it('has the specification’s texts', () => {
    expect(emailProblem(' ')).toBe('Email is required');
    expect(emailProblem('x')).toBe('Invalid email address');
  });
});
