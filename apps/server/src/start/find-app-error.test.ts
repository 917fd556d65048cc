import { AppError } from '@portal/domain/app-error.ts';
import { describe, expect, it } from 'vitest';
import { describeInnermost, findAppError } from './find-app-error.ts';

describe('an error that a library wrapped', () => {
  it('still gives our own error, which says what to do', () => {
    const appError = new AppError('conflict', 'database.roles_missing', 'The database lacks the roles.', undefined, new Error('22023'));
    expect(findAppError(new Error('Failed query: select hash', { cause: appError }))).toBe(appError);
    expect(findAppError(new Error('Failed query', { cause: new Error('permission denied') }))).toBeUndefined();
  });

  it('gives the database’s own message', () => {
    expect(describeInnermost(new Error('Failed query: select 1', { cause: new Error('permission denied for schema drizzle') }))).toBe(
      'permission denied for schema drizzle',
    );
    expect(describeInnermost('text')).toBe('text');
  });
});
