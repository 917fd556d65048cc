/** The only error that we throw on purpose. Any other error is a bug. */

/** Classifies errors by how the caller can respond. The server maps each kind to one HTTP status. */
export type ErrorKind =
  | 'invalid'
  | 'impossible'
  | 'unauthenticated'
  | 'forbidden'
  | 'notFound'
  | 'conflict'
  | 'tooLarge'
  | 'tooMany'
  | 'upstream'
  | 'unavailable'
  | 'bug';

/** Details for the reader of an error; never secrets or another tenant's data. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/** `code` is "subject.reason" and never changes. `message` is for users: what happened, what it means, what to do next. */
export class AppError extends Error {
  readonly kind: ErrorKind;
  readonly code: string;
  readonly details: ErrorDetails | undefined;

  constructor(kind: ErrorKind, code: string, message: string, details?: ErrorDetails, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'AppError';
    this.kind = kind;
    this.code = code;
    this.details = details;
  }
}

/** Creates an error for bad input in one field; the form shows the message next to that field. */
export function createInvalidFieldError(field: string, reason: string): AppError {
  return new AppError('invalid', 'input.invalid', reason, { field });
}
