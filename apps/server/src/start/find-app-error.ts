import { AppError } from '@portal/domain/app-error.ts';

/**
 * Finds an error of ours among an error and its causes, because its message explains what to do. Drizzle wraps errors thrown by a
 * connection as a failed query.
 */
export function findAppError(error: unknown): AppError | undefined {
  for (let current = error; current instanceof Error; current = current.cause) if (current instanceof AppError) return current;
  return undefined;
}

/** Returns the message of the innermost cause: the database's own, rather than the statement that Drizzle repeats. */
export function describeInnermost(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? describeInnermost(error.cause) : error.message;
}
