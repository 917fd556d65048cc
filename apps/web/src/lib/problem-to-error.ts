/** The error of an API request, and its conversion from the server's problem response. */
import { problemOutput } from '@portal/contract/problem.ts';
import { z } from 'zod/mini';

/** `message` is for users; `fieldErrors` contains the messages for individual input fields. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly field: string | undefined;
  readonly fieldErrors: Readonly<Record<string, string>>;
  readonly details: Readonly<Record<string, unknown>>;
  readonly requestId: string | undefined;

  constructor(facts: {
    status: number;
    code: string;
    message: string;
    fieldErrors?: Readonly<Record<string, string>>;
    details?: Readonly<Record<string, unknown>>;
    requestId?: string | undefined;
  }) {
    super(facts.message);
    this.name = 'ApiError';
    this.status = facts.status;
    this.code = facts.code;
    this.fieldErrors = facts.fieldErrors ?? {};
    this.field = Object.keys(this.fieldErrors)[0];
    this.details = facts.details ?? {};
    this.requestId = facts.requestId;
  }
}

/** Used when the server gave no reason (docs/product/specification.md section 8). */
export const UNKNOWN_ERROR = 'Sorry, that didn’t work. Try again.';

// Every member is optional, because a proxy's error isn't a complete problem response, and its message must not be lost.
const lenientProblemSchema = z.object({
  message: z.catch(z.optional(problemOutput.shape.message), undefined),
  error: z.catch(z.optional(z.union([z.string(), z.record(z.string(), z.string())])), undefined),
  code: z.catch(z.optional(z.string()), undefined),
  request_id: z.catch(z.optional(z.string()), undefined),
  details: z.catch(z.optional(z.record(z.string(), z.unknown())), undefined),
});

/**
 * The message is the `message` member, otherwise the `error` member, otherwise a fixed text. An object's message is its first entry as
 * "key: value" (docs/product/specification.md section 8).
 */
export function toApiError(status: number, body: unknown): ApiError {
  const problem = lenientProblemSchema.safeParse(body).data ?? {};
  const reason = problem.message || problem.error || UNKNOWN_ERROR;
  const details = problem.details ?? {};
  const fieldName = typeof details['field'] === 'string' ? details['field'] : undefined;
  const first = typeof reason === 'string' ? undefined : Object.entries(reason)[0];
  const message = typeof reason === 'string' ? reason : first ? `${first[0]}: ${first[1]}` : UNKNOWN_ERROR;
  return new ApiError({
    status,
    code: problem.code ?? 'unknown',
    message,
    fieldErrors: typeof reason === 'string' ? (fieldName === undefined ? {} : { [fieldName]: reason }) : reason,
    details,
    requestId: problem.request_id,
  });
}
