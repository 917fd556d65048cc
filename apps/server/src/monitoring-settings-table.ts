/** Settings for metrics and traces. OpenTelemetry's own setting names are standard (opentelemetry.io/docs/specs/otel/configuration). */
import { z } from 'zod';
import { setting, text, urlLabel, webUrl } from './setting-shapes.ts';

const headerList = text
  .regex(/^[\w-]+=[^,]+(,[\w-]+=[^,]+)*$/)
  .transform((list): Readonly<Record<string, string>> =>
    Object.fromEntries(list.split(',').map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)])),
  );

export const monitoringSettingTable = {
  METRICS_TOKEN: setting({
    shape: text.regex(/^[!-~]{32,}$/).optional(),
    expectedText: 'at least 32 characters without spaces',
    defaultLabel: 'none: only processes on this computer can read the metrics',
    isSecret: true,
    meaning: 'Bearer token of at least 32 characters that lets Prometheus read /portal/metrics from another computer.',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting({
    shape: webUrl.optional(),
    expectedText: urlLabel,
    defaultLabel: 'no traces',
    meaning: 'OpenTelemetry collector that receives traces (OTLP over HTTP, protobuf). /v1/traces is added.',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: setting({
    shape: headerList.optional(),
    expectedText: 'name=value pairs, separated by commas',
    defaultLabel: 'none',
    isSecret: true,
    meaning: 'Headers for the collector, for example its API key.',
  }),
  OTEL_SERVICE_NAME: setting({
    shape: text,
    expectedText: 'a name',
    defaultValue: () => 'portal',
    meaning: 'Name of the portal in traces.',
  }),
  OTEL_TRACES_SAMPLER_ARG: setting({
    shape: z
      .string()
      .regex(/^(0(\.\d+)?|1(\.0+)?)$/)
      .transform(Number),
    expectedText: 'a number from 0 to 1',
    defaultValue: () => '1',
    meaning: 'Share of requests and jobs that are traced.',
  }),
};
