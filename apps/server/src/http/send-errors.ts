/** All errors are sent here, in one format (RFC 9457 with `message`, `code` and `request_id`), without internal details. */
import { FACTOR_NEEDED_CODE, type Problem } from '@portal/contract/problem.ts';
import { AppError, type ErrorKind } from '@portal/domain/app-error.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { getRequestScope } from '../observability/request-scope.ts';
import type { RecordSecurityEvent, SecurityEvent } from '../observability/security-log.ts';
import { RETRY_AFTER_SECONDS, toOutageError } from './to-outage-error.ts';

const STATUS_BY_ERROR_KIND: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  notFound: 404,
  conflict: 409,
  tooLarge: 413,
  impossible: 422,
  tooMany: 429,
  bug: 500,
  upstream: 502,
  unavailable: 503,
};

/** Errors in normal operation: in response, the web app asks the user to confirm. */
const EXPECTED_CODES: ReadonlySet<string> = new Set([FACTOR_NEEDED_CODE, 'identity.confirmation_needed']);

const CHALLENGES: Readonly<Record<string, string>> = { 'api_key.invalid': 'invalid_token', 'api_key.scope_missing': 'insufficient_scope' };

/** Rejections that aren't recorded anywhere else. authorise.ts records those about tenants, observe-requests.ts those of webhooks. */
const EVENT_OF_CODE: Readonly<Record<string, SecurityEvent>> = {
  'identity.link_invalid': 'sign_in_failed',
  'identity.challenge_expired': 'second_factor_rejected',
  'request.other_origin': 'cross_site_refused',
  'sealing_key.missing': 'key_missing',
};

function recordRefusal(record: RecordSecurityEvent, { kind, code }: AppError): void {
  // With a user in the scope, someone who is signed in was reauthenticating with a passkey.
  if (code === 'identity.passkey_rejected')
    return record(getRequestScope()?.userId === undefined ? 'sign_in_failed' : 'second_factor_rejected', { reason: code });
  const event = EVENT_OF_CODE[code] ?? (kind === 'tooMany' ? 'limit_exceeded' : kind === 'forbidden' ? 'access_refused' : undefined);
  if (event !== undefined && !EXPECTED_CODES.has(code)) record(event, { reason: code });
}

export function sendErrors(app: FastifyInstance, recordSecurityEvent: RecordSecurityEvent): void {
  // The contract's zod/mini doesn't have default messages for schemas that don't specify one.
  z.config(z.locales.en());
  app.setErrorHandler((error: unknown, request, reply) => {
    const appError = wasAborted(error, request) ? createCutOffError(error) : toAppError(error);
    recordRefusal(recordSecurityEvent, appError);
    // The client can't read the response, so the log records the request.
    if (appError.code === CUT_OFF_CODE) request.log.info({ code: CUT_OFF_CODE, request_id: request.id }, appError.message);
    if ((appError.kind === 'invalid' || appError.kind === 'notFound') && isNavigation(request)) {
      reply.callNotFound();
      return reply;
    }
    return sendProblem(appError, request, reply);
  });
}

const CUT_OFF_CODE = 'request.cut_off';

/**
 * Returns whether the client disconnected before the whole request had arrived: a closed window or a broken connection, not our own bug.
 */
function wasAborted(error: unknown, { raw }: FastifyRequest): boolean {
  if (raw.errored === null) return false;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause === raw.errored || ('code' in cause && cause.code === 'ERR_STREAM_PREMATURE_CLOSE')) return true;
  }
  return false;
}

function createCutOffError(error: unknown): AppError {
  return new AppError(
    'invalid',
    CUT_OFF_CODE,
    'The connection was lost before your whole request arrived. Nothing was changed. Try again.',
    undefined,
    error,
  );
}

/**
 * Returns whether a browser navigated to a route outside the contract. Users would see the raw response, so they get the not-found page.
 */
function isNavigation({ method, routeOptions, headers, is404: isNotFoundPage }: FastifyRequest): boolean {
  return method === 'GET' && !isNotFoundPage && routeOptions.config.isCall !== true && (headers.accept ?? '').includes('text/html');
}

export function sendProblem(error: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error.kind === 'bug' || error.kind === 'upstream' || error.kind === 'unavailable')
    request.log.error({ err: error, code: error.code, request_id: request.id }, error.message);
  const scope = getRequestScope();
  if (scope) scope.problemCode = error.code;
  const status = STATUS_BY_ERROR_KIND[error.kind];
  const field = error.details?.['field'];
  const problem: Problem = {
    type: `about:blank#${error.code}`,
    title: error.kind === 'bug' ? 'Internal error' : error.code,
    status,
    message: typeof field === 'string' ? { [field]: error.message } : error.message,
    code: error.code,
    request_id: request.id,
    ...(error.details ? { details: error.details } : {}),
  };
  const wait = error.details?.['retry_after_seconds'];
  if (typeof wait === 'number') reply.header('retry-after', String(wait));
  // RFC 6750 section 3.
  const challenge = CHALLENGES[error.code];
  if (challenge !== undefined) reply.header('www-authenticate', `Bearer error="${challenge}"`);
  if (error.kind === 'unavailable') reply.header('retry-after', String(RETRY_AFTER_SECONDS));
  // Caches may store some errors, such as 404, unless the response forbids it (RFC 9110 section 15.1).
  reply.header('cache-control', 'no-store');
  // Use Fastify's default JSON serialiser, because the endpoint's response schema doesn't apply to problems.
  return reply.status(status).type('application/problem+json').serializer(JSON.stringify).send(problem);
}

/** Maps every error to an AppError. An unexpected error is a bug: logged in full, with a short message for the user. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof z.core.$ZodError) return createInvalidInputError(error);
  // A call to a provider gets its slot from our database, so an outage there isn't the provider's fault.
  if (error instanceof ProviderError) return toOutageError(error) ?? createProviderFailedError(error);
  const status = (error as FastifyError | undefined)?.statusCode;
  if (status === 413) return new AppError('tooLarge', 'request.too_large', 'Your request is too large. Send less at a time.');
  if (status !== undefined && status >= 400 && status < 500) {
    return new AppError('invalid', 'request.badly_formed', 'We couldn’t read the request. Send JSON with content type application/json.');
  }
  const outage = toOutageError(error);
  if (outage) return outage;
  return new AppError(
    'bug',
    'server.bug',
    'Something went wrong on our side. Nothing you’ve entered has been lost. Try again, and contact us if it keeps happening.',
    undefined,
    error,
  );
}

function createInvalidInputError(error: z.core.$ZodError): AppError {
  const fields: Record<string, string> = {};
  for (const issue of error.issues) fields[issue.path.join('.') || 'body'] ??= issue.message;
  const [field = 'body', reason = 'badly formed'] = Object.entries(fields)[0] ?? [];
  return new AppError('invalid', 'input.invalid', reason, { field, fields });
}

/** The everyday names of providers, by the name used in errors. */
export const PROVIDER_NAMES: Readonly<Record<string, string>> = {
  hmrc: 'HMRC',
  truelayer: 'The payments provider',
  gocardless: 'GoCardless',
  stripe: 'Stripe',
  modulr: 'The account name check',
  opensanctions: 'The screening service',
  twilio: 'The text message service',
  companies_house: 'Companies House',
  identity_check: 'The identity provider',
  hubspot: 'The chat service',
  pwned_passwords: 'The password check',
  language_model: 'The language model',
  clamd: 'The virus scanner',
  google: 'Google',
  microsoft: 'Microsoft',
  xero: 'Xero',
  intuit: 'Intuit',
  quickbooks: 'QuickBooks',
  freeagent: 'FreeAgent',
};

function createProviderFailedError(error: ProviderError): AppError {
  const name = PROVIDER_NAMES[error.facts.provider] ?? error.facts.provider;
  const message = {
    refused: `${name} rejected the request${error.facts.detail ? `: ${error.facts.detail}` : '.'}`,
    unauthorized: `${name} no longer accepts our connection. Reconnect it.`,
    throttled: `${name} is busy. Try again in ${describeWait(error.facts.retryAfterSeconds)}.`,
    unavailable: `${name} isn’t responding. Nothing was changed. Try again in a few minutes.`,
    unknown: `${name} didn’t give a clear response. We’re checking the result, so don’t try again yet.`,
  }[error.failure];
  return new AppError('upstream', `${error.facts.provider}.${error.failure}`, message, { provider_code: error.facts.code ?? null }, error);
}

function describeWait(seconds = 0): string {
  return seconds <= 60 ? 'a minute' : `${Math.ceil(seconds / 60)} minutes`;
}
