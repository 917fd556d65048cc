/**
 * OpenTelemetry spans. Without a collector (OTEL_EXPORTER_OTLP_ENDPOINT) the API's own tracer does nothing, and no exporter is loaded.
 * Attributes follow opentelemetry.io/docs/specs/semconv. URLs are omitted where they contain VAT numbers, accounts or tokens.
 */
import { context, SpanStatusCode, trace, type Attributes, type Link, type Span, type SpanKind } from '@opentelemetry/api';

export type SpanFacts = { readonly kind: SpanKind; readonly attributes: Attributes; readonly links?: Link[] };

const getTracer = () => trace.getTracer('portal');

let isTracingEnabled = false;

/** Returns whether a collector receives spans. */
export const isTracing = (): boolean => isTracingEnabled;

export function enableTracing(): void {
  isTracingEnabled = true;
}

export function startSpan(name: string, facts: SpanFacts): Span {
  return getTracer().startSpan(name, facts);
}

/** Runs the work in a new span, which ends with it. Records only the type of a failure, because messages can quote user input. */
export async function runInSpan<Result>(name: string, facts: SpanFacts, work: (span: Span) => Promise<Result>): Promise<Result> {
  const span = startSpan(name, facts);
  try {
    return await context.with(trace.setSpan(context.active(), span), () => work(span));
  } catch (error) {
    markFailed(span, error instanceof Error ? error.name : 'unknown');
    throw error;
  } finally {
    span.end();
  }
}

export function markFailed(span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Returns the id that links a job's span to the request that enqueued it, or undefined if tracing is off. */
export function getTraceParent(): string | undefined {
  const parent = trace.getActiveSpan()?.spanContext();
  return parent && `00-${parent.traceId}-${parent.spanId}-${parent.traceFlags.toString(16).padStart(2, '0')}`;
}

/** Parses the result of `getTraceParent` (w3.org/TR/trace-context). */
export function toLinks(traceParent: string | undefined): Link[] {
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceParent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined) return [];
  return [{ context: { traceId, spanId, traceFlags: Number.parseInt(flags ?? '0', 16), isRemote: true } }];
}
