/** A proxy in front of the simulators that makes one operation's calls fail, as a network, gateway or provider would. */
import { createServer, request as requestHttp, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { setTimeout as pause } from 'node:timers/promises';
import { EXPIRED_CERTIFICATE, EXPIRED_KEY } from './expired-certificate.ts';

export const FAULTS = [
  'refused connection',
  'no answer, nothing done',
  'no answer after the work',
  'connection lost after the work',
  'throttled',
  'throttled with Retry-After',
  'throttled with Retry-After as a date',
  'malformed JSON after the work',
  'a web page instead of JSON',
  'a web page after the work',
  'truncated body after the work',
  'body in drips after the work',
  'gateway error 503',
  'gateway error 502 after the work',
  'expired certificate',
] as const;
export type Fault = (typeof FAULTS)[number];

export const RETRY_AFTER_SECONDS = 2;

/** A call as seen by the proxy. */
export type RecordedCall = { readonly method: string; readonly path: string };

export type FaultProxy = {
  /** Fails every call from the given one onwards (1: the first) until `end`. */
  begin(fault: Fault, fromCall: number): Promise<void>;
  end(): Promise<void>;
  /** The calls since `begin`, or since `end`. */
  readonly seen: RecordedCall[];
  /** Returns the URL that the client uses during this fault. */
  toAddress(url: URL): URL;
  close(): Promise<void>;
};

/** Longer than any of the campaign's clients waits. */
const LONG_MS = 20_000;
const TRICKLE_INTERVAL_MS = 100;
const PAGE = '<!doctype html><title>Sorry</title><h1>Sorry, there is a problem with the service</h1>';

type UpstreamResponse = { readonly status: number; readonly headers: IncomingMessage['headers']; readonly body: Buffer };

export async function openFaultProxy({ publicUrl, targetUrl }: { publicUrl: string; targetUrl: string }): Promise<FaultProxy> {
  const seenCalls: RecordedCall[] = [];
  const closing = new AbortController();
  let plan: { readonly fault: Fault; readonly fromCall: number } | undefined;
  const { hostname, port } = new URL(publicUrl);
  const proxyRequest = (request: IncomingMessage, response: ServerResponse): void => {
    seenCalls.push({ method: request.method ?? '', path: request.url ?? '' });
    // Without keep-alive connections, a closed server rejects the next call rather than interrupting it.
    response.setHeader('connection', 'close');
    const fault = plan && seenCalls.length >= plan.fromCall ? plan.fault : undefined;
    const isLastBeforeRefusal = plan?.fault === 'refused connection' && seenCalls.length === plan.fromCall - 1;
    if (isLastBeforeRefusal) response.once('finish', () => server.close());
    respond(targetUrl, request, response, fault, closing.signal).catch(() => response.destroy());
  };
  const server = createServer(proxyRequest);
  const listen = (): Promise<void> => new Promise((resolve) => server.listen(Number(port), hostname, resolve));
  const stop = (server: Server): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await listen();
  // Trusts the certificate, so that its expiry is its only fault.
  setDefaultCACertificates([...getCACertificates(), EXPIRED_CERTIFICATE]);
  const tlsServer = createTlsServer({ key: EXPIRED_KEY, cert: EXPIRED_CERTIFICATE }, proxyRequest);
  await new Promise<void>((resolve) => tlsServer.listen(0, '127.0.0.1', resolve));
  const tlsPort = (tlsServer.address() as AddressInfo).port;
  const isTls = (): boolean => plan?.fault === 'expired certificate' && seenCalls.length + 1 >= plan.fromCall;
  return {
    seen: seenCalls,
    begin: async (fault, fromCall) => {
      seenCalls.length = 0;
      plan = { fault, fromCall };
      if (fault === 'refused connection' && fromCall === 1) await stop(server);
    },
    end: async () => {
      plan = undefined;
      seenCalls.length = 0;
      if (!server.listening) await listen();
    },
    toAddress: (url) => (isTls() ? new URL(`https://localhost:${tlsPort}${url.pathname}${url.search}`) : url),
    close: async () => {
      closing.abort();
      if (server.listening) await stop(server);
      tlsServer.closeAllConnections();
      await new Promise<void>((resolve) => tlsServer.close(() => resolve()));
    },
  };
}

const sendsResponse = (fault: Fault): boolean => fault.includes('after the work');

async function respond(
  targetUrl: string,
  request: IncomingMessage,
  response: ServerResponse,
  fault: Fault | undefined,
  signal: AbortSignal,
) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  if (fault === undefined) return sendUpstreamResponse(response, await forward(targetUrl, request, body));
  return corruptResponse(response, fault, sendsResponse(fault) ? await forward(targetUrl, request, body) : undefined, signal);
}

function sendUpstreamResponse(response: ServerResponse, { status, headers, body }: UpstreamResponse): void {
  const { connection: _connection, 'transfer-encoding': _encoding, ...others } = headers;
  response.writeHead(status, { ...others, 'content-length': body.byteLength, connection: 'close' }).end(body);
}

function forward(targetUrl: string, { method, url, headers }: IncomingMessage, body: Buffer): Promise<UpstreamResponse> {
  return new Promise((resolve, reject) => {
    const forwarded = requestHttp(`${targetUrl}${url}`, { method, headers, agent: false }, (upstreamResponse) => {
      const chunks: Buffer[] = [];
      upstreamResponse.on('data', (chunk: Buffer) => chunks.push(chunk));
      upstreamResponse.once('end', () =>
        resolve({ status: upstreamResponse.statusCode ?? 500, headers: upstreamResponse.headers, body: Buffer.concat(chunks) }),
      );
      upstreamResponse.once('error', reject);
    });
    forwarded.once('error', reject);
    forwarded.end(body);
  });
}

const JSON_HEADERS = { 'content-type': 'application/json' };
const PAGE_HEADERS = { 'content-type': 'text/html; charset=utf-8' };

async function corruptResponse(
  response: ServerResponse,
  fault: Fault,
  upstreamResponse: UpstreamResponse | undefined,
  signal: AbortSignal,
): Promise<void> {
  switch (fault) {
    case 'no answer, nothing done':
    case 'no answer after the work':
      await pause(LONG_MS, undefined, { signal, ref: false });
      return void response.destroy();
    case 'connection lost after the work':
      return void response.destroy();
    case 'throttled':
      return void response.writeHead(429).end();
    case 'throttled with Retry-After':
      return void response.writeHead(429, { ...JSON_HEADERS, 'retry-after': String(RETRY_AFTER_SECONDS) }).end('{}');
    case 'throttled with Retry-After as a date':
      return void response.writeHead(429, { ...JSON_HEADERS, ...toDates(RETRY_AFTER_SECONDS) }).end('{}');
    case 'malformed JSON after the work':
      return void response
        .writeHead(upstreamResponse?.status === 204 ? 200 : (upstreamResponse?.status ?? 200), JSON_HEADERS)
        .end('{"obligations":[{"start":');
    case 'a web page instead of JSON':
    case 'a web page after the work':
      return void response.writeHead(200, PAGE_HEADERS).end(PAGE);
    case 'truncated body after the work':
      return sendHalfResponse(response, upstreamResponse);
    case 'body in drips after the work':
      return trickleResponse(response, upstreamResponse, signal);
    case 'gateway error 503':
      return void response.writeHead(503, PAGE_HEADERS).end(PAGE);
    case 'gateway error 502 after the work':
      return void response.writeHead(502, PAGE_HEADERS).end(PAGE);
    // These two happen before a call arrives.
    case 'refused connection':
    case 'expired certificate':
      return void response.destroy();
  }
}

/** Returns the wait as a date (RFC 9110, section 10.2.3), with the server's own clock, which is an hour behind ours. */
function toDates(seconds: number): Record<string, string> {
  const hourAgo = Date.now() - 3_600_000;
  return { date: new Date(hourAgo).toUTCString(), 'retry-after': new Date(hourAgo + seconds * 1000).toUTCString() };
}

function sendHalfResponse(response: ServerResponse, upstreamResponse: UpstreamResponse | undefined): void {
  const body = upstreamResponse && upstreamResponse.body.byteLength > 1 ? upstreamResponse.body : Buffer.from('{}');
  response.writeHead(upstreamResponse?.status === 204 ? 200 : (upstreamResponse?.status ?? 200), {
    ...JSON_HEADERS,
    'content-length': body.byteLength + 1,
  });
  response.write(body.subarray(0, Math.ceil(body.byteLength / 2)), () => response.destroy());
}

async function trickleResponse(
  response: ServerResponse,
  upstreamResponse: UpstreamResponse | undefined,
  signal: AbortSignal,
): Promise<void> {
  response.writeHead(upstreamResponse?.status === 204 ? 200 : (upstreamResponse?.status ?? 200), JSON_HEADERS);
  for (let sentCount = 0; sentCount * TRICKLE_INTERVAL_MS < LONG_MS && !response.destroyed; sentCount += 1) {
    response.write(' ');
    await pause(TRICKLE_INTERVAL_MS, undefined, { signal, ref: false });
  }
  response.destroy();
}
