/** Gives each request an id, a span and metrics. */
import { context, SpanKind, trace, type Span } from '@opentelemetry/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Metrics } from '../observability/metrics.ts';
import { runInRequestScope, type RequestScope } from '../observability/request-scope.ts';
import type { RecordSecurityEvent } from '../observability/security-log.ts';
import { isTracing, markFailed, startSpan } from '../observability/spans.ts';

type ObservedRequest = { readonly scope: RequestScope; readonly span: Span | undefined; readonly startedAt: number };

/** nginx's status for a client that closed the connection before the response. */
const CLIENT_CLOSED_STATUS = 499;
const WEBHOOKS_PATH = '/portal/webhooks/';
/** Why a webhook was rejected, by response status. 498 is the status that GoCardless requests (docs/reference/providers.md). */
const WEBHOOK_REASONS: Readonly<Record<number, string>> = {
  401: 'bad_signature',
  498: 'bad_signature',
  404: 'not_set_up',
  409: 'not_stored_yet',
  413: 'too_large',
  502: 'provider_unreadable',
};

/** Call this before anything else adds hooks. */
export function observeRequests(app: FastifyInstance, metrics: Metrics, recordSecurityEvent: RecordSecurityEvent): void {
  const observedRequests = new WeakMap<FastifyRequest, ObservedRequest>();
  const enterScope = (request: FastifyRequest, done: () => void): void => {
    const observation = observedRequests.get(request);
    if (!observation) return done();
    const { scope, span } = observation;
    return runInRequestScope(scope, span ? () => context.with(trace.setSpan(context.active(), span), done) : done);
  };
  const finish = (request: FastifyRequest, status: number, reply?: FastifyReply): void => {
    const observation = observedRequests.get(request);
    if (!observation) return;
    observedRequests.delete(request);
    const route = describeRoute(request, status);
    const seconds = (performance.now() - observation.startedAt) / 1000;
    metrics.requests.inc({ method: request.method, route, status });
    if (request.routeOptions.config?.isStream !== true) metrics.requestSeconds.observe({ method: request.method, route }, seconds);
    if (route.startsWith(WEBHOOKS_PATH) && status >= 400)
      runInRequestScope(observation.scope, () => countRefusedWebhook(metrics, recordSecurityEvent, route, status));
    if (status >= 400 && status < CLIENT_CLOSED_STATUS) logRejection(observation.scope, request, route, status);
    if (observation.span) endSpan(observation.span, request.method, route, status, reply);
  };
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    const scope = { requestId: request.id, getIp: () => request.ip };
    observedRequests.set(request, { scope, span: startRequestSpan(request), startedAt: performance.now() });
    enterScope(request, done);
  });
  // The body arrives in the connection's own async context.
  app.addHook('preValidation', (request, _reply, done) => enterScope(request, done));
  app.addHook('onResponse', (request, reply, done) => {
    finish(request, reply.statusCode, reply);
    done();
  });
  app.addHook('onRequestAbort', (request, done) => {
    finish(request, CLIENT_CLOSED_STATUS);
    done();
  });
}

/**
 * Lets support find a rejected request by the ID that a user quotes. Neither the URL nor the message is logged, because they may identify
 * people.
 */
function logRejection({ requestId, problemCode }: RequestScope, { log, method }: FastifyRequest, route: string, status: number): void {
  log.info(
    { request_id: requestId, method, route, status, ...(problemCode === undefined ? {} : { code: problemCode }) },
    'request rejected',
  );
}

/** Returns undefined if tracing is off, in which case it costs nothing. */
function startRequestSpan(request: FastifyRequest): Span | undefined {
  if (!isTracing()) return undefined;
  const attributes = { 'http.request.method': request.method, 'url.scheme': request.protocol, 'portal.request_id': request.id };
  return startSpan(request.method, { kind: SpanKind.SERVER, attributes });
}

/** Returns the pattern that the route was registered with. Pages don't have one: the not-found handler serves them. */
function describeRoute({ is404, routeOptions }: FastifyRequest, status: number): string {
  if (is404) return status < 400 ? 'page' : 'unknown';
  return routeOptions.config.isFile === true ? 'file' : (routeOptions.url ?? 'unknown');
}

function countRefusedWebhook(metrics: Metrics, recordSecurityEvent: RecordSecurityEvent, route: string, status: number): void {
  const provider = route.slice(WEBHOOKS_PATH.length);
  const reason = WEBHOOK_REASONS[status] ?? 'error';
  metrics.webhooksRefused.inc({ provider, reason });
  if (reason === 'bad_signature') recordSecurityEvent('webhook_signature_rejected', { reason: provider });
}

function endSpan(span: Span, method: string, route: string, status: number, reply: FastifyReply | undefined): void {
  span.updateName(`${method} ${route}`);
  span.setAttributes({ 'http.route': route, 'http.response.status_code': status });
  if (status >= 500 || reply === undefined) markFailed(span, String(status));
  span.end();
}
