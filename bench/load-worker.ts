/** Generates load on a URL from its own thread: each keep-alive connection sends the next request as soon as the last one is answered. */
import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

export type LoadOrder = { readonly url: string; readonly milliseconds: number };
export type LoadAnswer = { readonly served: number; readonly milliseconds: number };

const { cookie, connections } = workerData as { readonly cookie: string; readonly connections: number };
const agent = new Agent({ keepAlive: true, maxSockets: connections });

const ask = (url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    request(url, { agent, headers: { cookie } }, (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`the server returned ${answer.statusCode}`));
      answer.resume();
      answer.on('end', resolve);
      answer.on('error', reject);
    })
      .on('error', reject)
      .end();
  });

async function load({ url, milliseconds }: LoadOrder): Promise<LoadAnswer> {
  const startAt = performance.now();
  let served = 0;
  const keepAsking = async (): Promise<void> => {
    while (performance.now() < startAt + milliseconds) {
      await ask(url);
      served += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, keepAsking));
  return { served, milliseconds: performance.now() - startAt };
}

// A failed request rejects, which ends this thread with an error event for the main thread.
parentPort?.on('message', (order: LoadOrder) => void load(order).then((answer) => parentPort?.postMessage(answer)));
