/** Loads one address from a thread of its own: keep-alive connections, each asking again as soon as it is answered. Answers how many requests a second were served. */
import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

type Load = { readonly url: string; readonly cookie: string; readonly connections: number; readonly milliseconds: number };

const load = workerData as Load;
const agent = new Agent({ keepAlive: true, maxSockets: load.connections });
const endAt = performance.now() + load.milliseconds;
let served = 0;

const ask = (): Promise<void> =>
  new Promise((resolve, reject) => {
    request(load.url, { agent, headers: { cookie: load.cookie } }, (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`answered ${answer.statusCode}`));
      answer.resume();
      answer.on('end', resolve);
      answer.on('error', reject);
    })
      .on('error', reject)
      .end();
  });

const startAt = performance.now();
await Promise.all(
  Array.from({ length: load.connections }, async () => {
    while (performance.now() < endAt) {
      await ask();
      served += 1;
    }
  }),
);
parentPort?.postMessage((served * 1000) / (performance.now() - startAt));
agent.destroy();
