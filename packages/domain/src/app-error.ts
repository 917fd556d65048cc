/** The one error that the product raises on purpose. Anything else that is thrown is a bug. */

/** What went wrong, as the caller can act on it; each kind has one HTTP status, set in one place of the server. */
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
  | 'bug';

/** Facts for the reader of an error: never secrets, never another tenant's data. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/** `code` is "subject.reason" and never changes; `message` is for people: what happened, what it means, what to do next. */
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

/** Bad input in one named field: the message reaches the person beside that field. */
export function invalidField(field: string, reason: string): AppError {
  return new AppError('invalid', 'input.invalid', reason, { field });
}
