import { describe, expect, it } from 'vitest';
import { getErrorText } from './error-text.ts';
import { ApiError } from './problem-to-error.ts';

describe('the message of a failed action', () => {
  it.each([
    [500, 'Something went wrong. If you contact us, quote r-1.'],
    [502, 'Something went wrong. If you contact us, quote r-1.'],
    [409, 'Something went wrong.'],
  ])('names the request where the user is not at fault: %i', (status, text) => {
    expect(getErrorText(new ApiError({ status, code: 'x', message: 'Something went wrong.', requestId: 'r-1' }))).toBe(text);
  });
});
