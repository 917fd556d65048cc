/** Reads what PostgreSQL said out of an error; Drizzle wraps it, so that it stands at `cause`. */

type SqlError = Error & { readonly code: string; readonly constraint?: string };

function sqlErrorIn(error: unknown): SqlError | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    // A system error may have a code of five letters too (EPIPE); only PostgreSQL gives a severity.
    if ('severity' in current && 'code' in current && typeof current.code === 'string') return current as SqlError;
  }
  return undefined;
}

/** The five characters of PostgreSQL's appendix A, or undefined where the database said nothing. */
export function sqlStateOf(error: unknown): string | undefined {
  return sqlErrorIn(error)?.code;
}

export function constraintOf(error: unknown): string | undefined {
  return sqlErrorIn(error)?.constraint;
}

/** 23505 unique_violation, of this constraint or index where one is named. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return sqlStateOf(error) === '23505' && (constraint === undefined || constraintOf(error) === constraint);
}

/** 23503 foreign_key_violation. */
export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  return sqlStateOf(error) === '23503' && (constraint === undefined || constraintOf(error) === constraint);
}
