/** Generates load on a URL from its own thread: each keep-alive connection sends the next request as soon as the last response arrives. */
import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

export type LoadRequest = { readonly url: string; readonly milliseconds: number };
export type LoadResult = { readonly servedCount: number; readonly milliseconds: number };

const { cookie, connections } = workerData as { readonly cookie: string; readonly connections: number };
const agent = new Agent({ keepAlive: true, maxSockets: connections });

const send = (url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    request(url, { agent, headers: { cookie } }, (result) => {
      if (result.statusCode !== 200) return reject(new Error(`the server returned ${result.statusCode}`));
      result.resume();
      result.on('end', resolve);
      result.on('error', reject);
    })
      .on('error', reject)
      .end();
  });

async function runLoad({ url, milliseconds }: LoadRequest): Promise<LoadResult> {
  const startAt = performance.now();
  let servedCount = 0;
  const sendRepeatedly = async (): Promise<void> => {
    while (performance.now() < startAt + milliseconds) {
      await send(url);
      servedCount += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, sendRepeatedly));
  return { servedCount, milliseconds: performance.now() - startAt };
}

// If a request fails, the rejection ends this thread with an error event for the main thread.
parentPort?.on('message', (loadRequest: LoadRequest) => void runLoad(loadRequest).then((result) => parentPort?.postMessage(result)));
