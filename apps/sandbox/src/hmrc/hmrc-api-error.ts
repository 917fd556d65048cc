/** A response that rejects a call. Handlers throw it, and the plugin's error handler sends it. */
import type { FastifyReply, FastifyRequest } from 'fastify';

export class HmrcApiError extends Error {
  readonly status: number;
  /** Undefined for a response without a body and Content-Type. */
  readonly body: object | undefined;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, body: object | undefined, headers: Readonly<Record<string, string>> = {}) {
    super(`HMRC's simulator answers ${status} ${JSON.stringify(body) ?? ''}`);
    this.name = 'HmrcApiError';
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** Creates an error in the shape that HMRC uses most. */
export function createApiError(
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): HmrcApiError {
  return new HmrcApiError(status, { code, message }, headers);
}

/** Creates an error that lists several errors, or a single error where HMRC uses a list anyway. */
export function createErrorList(
  status: 400 | 403,
  errors: readonly { readonly code: string; readonly message: string; readonly path?: string }[],
): HmrcApiError {
  const outerError =
    status === 400
      ? { code: 'INVALID_REQUEST', message: 'Invalid request' }
      : { code: 'BUSINESS_ERROR', message: 'Business validation error' };
  return new HmrcApiError(status, { ...outerError, errors });
}

export function createUnknownPathError(): HmrcApiError {
  return createApiError(404, 'MATCHING_RESOURCE_NOT_FOUND', 'A resource with the name in the request can not be found in the API');
}

export function createWrongMethodError(): HmrcApiError {
  return createApiError(405, 'METHOD_NOT_ALLOWED', 'The method in the request is not allowed for the resource');
}

/** Handles the plugins' errors. Passes any other kind of error to the host. */
export function sendApiError(error: unknown, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!(error instanceof HmrcApiError)) throw error;
  return reply.code(error.status).headers(error.headers).send(error.body);
}
