/**
 * Sends spans to an OpenTelemetry collector as OTLP over HTTP. Loaded only if OTEL_EXPORTER_OTLP_ENDPOINT is set. Modules aren't patched
 * for instrumentation, because a bundle has none: we create spans for requests, jobs, provider calls and statements (spans.ts).
 */
import { context, diag, DiagLogLevel, SpanKind, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, ParentBasedSampler, TracerProvider, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace';
import { observeStatements } from '@portal/db/observe-statements.ts';
import type { Logger } from 'pino';
import { enableTracing, runInSpan } from '../observability/spans.ts';
import type { TracingSettings } from '../settings.ts';

/** The portal stops at most this long after its last span, even if the collector doesn't respond. */
const EXPORT_TIMEOUT_MS = 3_000;

export type Tracing = { stop(): Promise<void> };

export function startTracing(settings: TracingSettings, { logger, version }: { logger: Logger; version: string }): Tracing {
  // Spans that can't be sent are dropped and logged.
  const warn = (message: string): void => logger.warn({ problem: message }, 'tracing: spans were not sent');
  const ignore = (): void => undefined;
  diag.setLogger({ error: warn, warn, info: ignore, debug: ignore, verbose: ignore }, { logLevel: DiagLogLevel.WARN });
  const exporter = new OTLPTraceExporter({
    url: `${settings.endpoint}/v1/traces`,
    headers: { ...settings.headers },
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': settings.serviceName, 'service.version': version }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(settings.ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: EXPORT_TIMEOUT_MS })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  enableTracing();
  observeStatements(traceStatement);
  return {
    stop: () => provider.shutdown().catch((error: unknown) => logger.warn({ err: error }, 'tracing: the last spans were not sent')),
  };
}

/**
 * Traces a statement within a request or job. Other statements, such as polling the job queue, would flood the collector. The text contains
 * placeholders instead of values, and is omitted if a library has written values into it.
 */
function traceStatement<Result>(text: string, hasParameters: boolean, run: () => Promise<Result>): Promise<Result> {
  if (trace.getActiveSpan() === undefined) return run();
  const [operation = 'statement'] = /^\s*([a-z]+)/i.exec(text)?.slice(1) ?? [];
  const [table] = /\b(?:from|into|update)\s+"?([a-z_.]+)"?/i.exec(text)?.slice(1) ?? [];
  const name = [operation.toLowerCase(), table].filter(Boolean).join(' ');
  const attributes = {
    'db.system.name': 'postgresql',
    'db.operation.name': operation.toLowerCase(),
    'db.query.summary': name,
    ...(hasParameters ? { 'db.query.text': text.slice(0, MAX_TEXT_LENGTH) } : {}),
  };
  return runInSpan(name, { kind: SpanKind.CLIENT, attributes }, run);
}

const MAX_TEXT_LENGTH = 2_000;
