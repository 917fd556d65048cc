/** Sends requests from its own thread over keep-alive sockets. Does little work per response, so that the servers are what is measured. */
import { connect } from 'node:net';
import { parentPort } from 'node:worker_threads';

export type LoadOrder = {
  readonly urls: readonly string[];
  readonly cookie: string;
  readonly connections: number;
  readonly milliseconds: number;
};
export type LoadResult = { readonly perSecond: number; readonly p95Ms: number };

async function load({ urls, cookie, connections, milliseconds }: LoadOrder): Promise<LoadResult> {
  const { host, hostname, port } = new URL(urls[0] ?? '');
  const requests = urls.map((url) => {
    const { pathname, search } = new URL(url);
    return `GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\n\r\n`;
  });
  const times: number[] = [];
  const startedAt = performance.now();
  let next = 0;
  const sendUntilDeadline = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      let sentAt = 0;
      let missingCount = 0;
      const sendRequest = (): void => {
        sentAt = performance.now();
        if (sentAt >= startedAt + milliseconds) return void socket.end(() => resolve());
        socket.write(requests[next++ % requests.length] ?? '');
      };
      socket.on('connect', sendRequest).on('error', reject);
      socket.on('data', (chunk) => {
        if (missingCount === 0) {
          const end = chunk.indexOf('\r\n\r\n') + 4;
          const head = chunk.toString('latin1', 0, end);
          const length = /content-length: (\d+)/i.exec(head)?.[1];
          if (!head.startsWith('HTTP/1.1 200') || length === undefined) return reject(new Error(`answered ${head.slice(0, 200)}`));
          missingCount = Number(length) + end;
        }
        missingCount -= chunk.length;
        if (missingCount > 0) return undefined;
        times.push(performance.now() - sentAt);
        return sendRequest();
      });
    });
  await Promise.all(Array.from({ length: connections }, sendUntilDeadline));
  times.sort((a, b) => a - b);
  return { perSecond: (times.length * 1000) / (performance.now() - startedAt), p95Ms: times[Math.ceil(times.length * 0.95) - 1] ?? 0 };
}

parentPort?.on('message', (order: LoadOrder) => void load(order).then((result) => parentPort?.postMessage(result)));
