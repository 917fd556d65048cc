/** PostgreSQL's error details. Drizzle wraps the error as `cause`. */

type SqlError = Error & { readonly code: string; readonly constraint?: string };

function findSqlError(error: unknown): SqlError | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    // A system error may also have a five-letter code (EPIPE), but only PostgreSQL sets a severity.
    if ('severity' in current && 'code' in current && typeof current.code === 'string') return current as SqlError;
  }
  return undefined;
}

/** Returns the five-character SQLSTATE (PostgreSQL appendix A), or undefined if the error isn't from the database. */
export function getSqlState(error: unknown): string | undefined {
  return findSqlError(error)?.code;
}

export function getConstraint(error: unknown): string | undefined {
  return findSqlError(error)?.constraint;
}

/** Returns true for 23505 unique_violation, optionally only of a specific constraint or index. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return getSqlState(error) === '23505' && (constraint === undefined || getConstraint(error) === constraint);
}
