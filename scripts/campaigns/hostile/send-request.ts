/** Sends a request exactly as described, over keep-alive connections, and reads the response as text. */
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';

export type SentRequest = {
  readonly method: string;
  /** The path below the origin, with the query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
};

export type PortalResponse = {
  /** 0 if the connection was closed without a response. */
  readonly status: number;
  readonly text: string;
  readonly location: string | undefined;
  readonly setCookies: readonly string[];
  readonly milliseconds: number;
};

const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const TIMEOUT_MS = 60_000;

export function sendRequest(origin: string, { method, url, headers, body }: SentRequest): Promise<PortalResponse> {
  const startedAt = performance.now();
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const options = { agent, hostname, port, method, path: url, timeout: TIMEOUT_MS };
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const request = httpRequest({ ...options, headers: { ...length, ...headers } }, (response) => {
      readAll(response).then((text) => resolve(toStatementResult(response, text, startedAt)), reject);
    });
    request.on('timeout', () => request.destroy(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)));
    request.on('error', reject);
    request.end(body);
  });
}

/** An event stream never ends, so reading stops after its first part. */
async function readAll(response: IncomingMessage): Promise<string> {
  const isStream = String(response.headers['content-type']).startsWith('text/event-stream');
  const chunks: Buffer[] = [];
  for await (const chunk of response) {
    chunks.push(chunk as Buffer);
    if (isStream) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

function toStatementResult({ statusCode = 0, headers }: IncomingMessage, text: string, startedAt: number): PortalResponse {
  const milliseconds = performance.now() - startedAt;
  return { status: statusCode, text, location: headers.location, setCookies: headers['set-cookie'] ?? [], milliseconds };
}

/** Sends bytes that no HTTP library would send, and reads until the other side closes or goes silent. */
export function sendBytes(origin: string, bytes: Buffer | string, { closesAfter = false } = {}): Promise<PortalResponse> {
  const startedAt = performance.now();
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    const finish = (): void => {
      socket.destroy();
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
      resolve({
        status,
        text: text.split('\r\n\r\n')[1] ?? '',
        location: undefined,
        setCookies: [],
        milliseconds: performance.now() - startedAt,
      });
    };
    socket.setTimeout(closesAfter ? 100 : 1500, finish);
    socket.on('data', (chunk) => (text += chunk.toString('utf8')));
    socket.on('close', finish);
    socket.on('error', finish);
    socket.on('connect', () => socket.write(bytes));
  });
}

export function closeConnections(): void {
  agent.destroy();
}
