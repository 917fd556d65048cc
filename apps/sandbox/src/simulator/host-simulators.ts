/** Puts doubles on one port of this computer: node:http outside, web-standard Request and Response inside. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Simulator } from './simulator.ts';
import { json } from './responses.ts';
import { CUT_CONNECTION, CUT_HALFWAY, STATUS_MEANT } from './faults.ts';

/** A double and the path below which it answers, "/hmrc"; the longest path that fits wins, "" takes what is left. */
export type HostedSimulator = { readonly basePath: string; readonly simulator: Simulator };

export type SimulatorHost = {
  /** Where the doubles are reached, without a trailing slash: "http://127.0.0.1:4123". */
  readonly url: string;
  close(): Promise<void>;
};

const BODY_LIMIT_BYTES = 5 * 1024 * 1024;

/** Listens until closed; port 0 takes any free one. Rejects where the port is taken. */
export async function hostSimulators(simulators: readonly HostedSimulator[], port: number, hostname: string): Promise<SimulatorHost> {
  const longestFirst = [...simulators].sort((a, b) => b.basePath.length - a.basePath.length);
  const server = createServer((incoming, outgoing) => {
    void answer(longestFirst, incoming, outgoing).catch((error: unknown) => {
      // A double never throws for a caller's mistake, so this is a fault of the double itself: say so loudly, and never look like the provider.
      console.error(`double failed on ${incoming.method} ${incoming.url}`, error);
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' }).end('The sandbox itself failed; see its log.\n');
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, hostname, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address() as AddressInfo;
  return {
    url: `http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${address.port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

async function answer(simulators: readonly HostedSimulator[], incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const url = requestUrl(incoming);
  const hosted = url && simulators.find(({ basePath }) => url.pathname === basePath || url.pathname.startsWith(`${basePath}/`));
  if (!url || !hosted) return writeResponse(json(404, { message: 'No double answers here.' }), outgoing);
  const body = await readBody(incoming);
  if (body === 'too large') {
    return writeResponse(json(413, { message: 'The body is larger than 5 MB.' }, { connection: 'close' }), outgoing);
  }
  const method = incoming.method ?? 'GET';
  const carriesBody = method !== 'GET' && method !== 'HEAD' && body.length > 0;
  const request = new Request(url, { method, headers: readHeaders(incoming), ...(carriesBody ? { body } : {}) });
  const response = await hosted.simulator.fetch(request);
  if (response.status === CUT_CONNECTION) {
    incoming.socket.destroy();
    return;
  }
  if (response.status === CUT_HALFWAY) return writeHalf(response, outgoing);
  await writeResponse(response, outgoing, method === 'HEAD');
}

/** Promises the whole length, and goes away in the middle. */
async function writeHalf(response: Response, outgoing: ServerResponse): Promise<void> {
  const body = new Uint8Array(await response.arrayBuffer());
  const type = response.headers.get('content-type') ?? 'application/json';
  outgoing.writeHead(Number(response.headers.get(STATUS_MEANT)), { 'content-type': type, 'content-length': body.byteLength + 1 });
  outgoing.write(body.subarray(0, Math.ceil(body.byteLength / 2)), () => outgoing.destroy());
}

/** The address as the caller wrote it: the Host header counts, because browsers come by name and tests by number. */
function requestUrl(incoming: IncomingMessage): URL | undefined {
  const { localAddress = '127.0.0.1', localPort = 80 } = incoming.socket;
  const host = incoming.headers.host ?? `${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
  const text = `http://${host}${incoming.url ?? '/'}`;
  return URL.canParse(text) ? new URL(text) : undefined;
}

function readHeaders(incoming: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index + 1 < incoming.rawHeaders.length; index += 2) {
    headers.append(incoming.rawHeaders[index] ?? '', incoming.rawHeaders[index + 1] ?? '');
  }
  return headers;
}

async function readBody(incoming: IncomingMessage): Promise<Uint8Array<ArrayBuffer> | 'too large'> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    // The rest is still read, so that the answer reaches the caller instead of a broken pipe; nothing of it is kept.
    if (size <= BODY_LIMIT_BYTES) chunks.push(chunk);
  }
  if (size > BODY_LIMIT_BYTES) return 'too large';
  const body = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return body;
}

async function writeResponse(response: Response, outgoing: ServerResponse, withoutBody = false): Promise<void> {
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers) {
    if (name !== 'set-cookie') outgoing.setHeader(name, value);
  }
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) outgoing.setHeader('set-cookie', cookies);
  outgoing.end(withoutBody || response.body === null ? undefined : new Uint8Array(await response.arrayBuffer()));
}
