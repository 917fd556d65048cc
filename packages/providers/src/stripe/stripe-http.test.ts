/** Tests what a response that isn't Stripe's own, as from a gateway, says about a call. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { z } from 'zod';
import { afterEach, expect, it } from 'vitest';
import { ProviderError } from '../http/provider-error.ts';
import { createStripeHttp, type StripeHttp } from './stripe-http.ts';

let server: Server | undefined;
afterEach(() => server?.close());

async function startServer(respond: RequestListener): Promise<StripeHttp> {
  server = createServer(respond).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return createStripeHttp({ apiUrl: `http://127.0.0.1:${port}`, secretKey: 'sk_test', fetch });
}

async function refund(http: StripeHttp): Promise<ProviderError> {
  const call = {
    operation: 'refund',
    schema: z.object({ id: z.string() }),
    send: (stripe: StripeHttp['stripe']) => stripe.refunds.create({}),
  };
  const error: unknown = await http.write(call).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ProviderError)) throw new Error('the call did not fail with a ProviderError');
  return error;
}

const PAGE = '<!doctype html><h1>Busy</h1>';

it.each([
  ['429 without a body', 429, '', 'throttled'],
  ['429 with other JSON', 429, '{}', 'throttled'],
  ['429 with a web page', 429, PAGE, 'throttled'],
  ['429 of Stripe', 429, '{"error":{"type":"invalid_request_error","code":"rate_limit","message":"Too many"}}', 'throttled'],
  ['503 with a web page', 503, PAGE, 'unknown'],
  ['502 with JSON without an error', 502, '{"id":"re_1"}', 'unknown'],
  ['200 with a web page', 200, PAGE, 'unknown'],
] as const)('%s', async (_name, status, body, failure) => {
  const http = await startServer((_request, response) => void response.writeHead(status, { 'retry-after': '7' }).end(body));
  const error = await refund(http);
  expect(error.failure).toBe(failure);
  if (failure === 'throttled') expect(error.facts).toMatchObject({ status, retryAfterSeconds: 7 });
});

it('a wait that is given as a date is compared with the response’s own clock', async () => {
  const headers = { date: 'Tue, 10 Nov 2026 09:00:00 GMT', 'retry-after': 'Tue, 10 Nov 2026 09:00:05 GMT' };
  const http = await startServer((_request, response) => void response.writeHead(429, headers).end('{}'));
  expect((await refund(http)).facts).toMatchObject({ retryAfterSeconds: 5 });
});

it('a connection that can’t be made names its cause', async () => {
  const http = await startServer(() => undefined);
  await new Promise((resolve) => server?.close(resolve));
  const error = await refund(http);
  expect(error.failure).toBe('unavailable');
  expect(error.cause).toMatchObject({ cause: { code: 'ECONNREFUSED' } });
});
