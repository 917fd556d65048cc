import { SpanKind } from '@opentelemetry/api';
import type { ProviderName, WatchFetch } from '../features/operations/provider-health.ts';
import type { Metrics } from './metrics.ts';
import { markFailed, runInSpan } from './spans.ts';

/** Counts and times calls to each provider. Doesn't send our trace context, because providers are other companies. */
export function observeCalls(metrics: Pick<Metrics, 'providerCalls' | 'providerSeconds'>): WatchFetch {
  return (provider, send) => (input, init) => {
    const { method, server } = describeCall(input, init);
    // Leaves out `url.full`, because paths contain VAT numbers, accounts and tokens.
    const attributes = { 'http.request.method': method, 'server.address': server.hostname, 'server.port': server.port };
    const facts = { kind: SpanKind.CLIENT, attributes: { ...attributes, 'peer.service': provider } };
    return runInSpan(`${method} ${provider}`, facts, async (span) => {
      const end = metrics.providerSeconds.startTimer({ provider });
      try {
        const response = await send(input, init);
        countCall(metrics, provider, `${Math.floor(response.status / 100)}xx`);
        span.setAttribute('http.response.status_code', response.status);
        if (response.status >= 400) markFailed(span, String(response.status));
        return response;
      } catch (error) {
        countCall(metrics, provider, 'failed');
        throw error;
      } finally {
        end();
      }
    });
  };
}

function countCall({ providerCalls }: Pick<Metrics, 'providerCalls'>, provider: ProviderName, outcome: string): void {
  providerCalls.inc({ provider, outcome });
}

function describeCall(input: Parameters<typeof fetch>[0], init: Parameters<typeof fetch>[1]) {
  const url = input instanceof Request ? input.url : String(input);
  const { hostname, port, protocol } = URL.canParse(url) ? new URL(url) : new URL('https://unknown');
  const method = init?.method ?? (input instanceof Request ? input.method : 'GET');
  return { method, server: { hostname, port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port) } };
}
