/** Stripe's error objects (docs.stripe.com/api/errors). */
import type { FastifyReply, FastifyRequest } from 'fastify';

type StripeErrorType = 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error';

export class StripeApiError extends Error {
  readonly status: number;
  readonly body: { readonly type: StripeErrorType; readonly message: string; readonly code?: string; readonly param?: string };
  constructor(
    status: number,
    type: StripeErrorType,
    message: string,
    overrides: { code?: string; param?: string; decline_code?: string } = {},
  ) {
    super(message);
    this.name = 'StripeApiError';
    this.status = status;
    this.body = { type, message, ...overrides };
  }
}

export const createMissingError = (kind: string, id: string): StripeApiError =>
  new StripeApiError(404, 'invalid_request_error', `No such ${kind}: '${id}'`, { code: 'resource_missing', param: 'id' });

export const createInvalidError = (param: string, message: string, code = 'parameter_invalid'): StripeApiError =>
  new StripeApiError(400, 'invalid_request_error', message, { param, code });

export function requireRecord<Found>(found: Found | undefined, kind: string, id: string): Found {
  if (found === undefined) throw createMissingError(kind, id);
  return found;
}

export function sendStripeError(error: unknown, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const apiError = error instanceof StripeApiError ? error : new StripeApiError(500, 'api_error', 'An unknown error occurred');
  if (!(error instanceof StripeApiError)) console.error(error);
  return reply.code(apiError.status).send({ error: apiError.body });
}
