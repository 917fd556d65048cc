import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { retryThrottledReads } from './retry-throttled.ts';

const closers: (() => void)[] = [];
afterEach(() => closers.splice(0).forEach((close) => close()));

/** Answers 429 so many times, then 200, and counts. */
async function throttlingServer(refusals: number): Promise<{ url: string; asked: () => number }> {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    response.writeHead(asked <= refusals ? 429 : 200).end('x');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: () => asked };
}

describe('a read that was throttled', () => {
  it('is asked again until it is answered', async () => {
    const { url, asked } = await throttlingServer(2);
    expect((await retryThrottledReads(fetch, 1)(url)).status).toBe(200);
    expect(asked()).toBe(3);
  });

  it('is given up after the fourth refusal, which the caller sees', async () => {
    const { url, asked } = await throttlingServer(9);
    expect((await retryThrottledReads(fetch, 1)(url)).status).toBe(429);
    expect(asked()).toBe(4);
  });

  it('is not what a write is: a throttled POST is never repeated', async () => {
    const { url, asked } = await throttlingServer(1);
    expect((await retryThrottledReads(fetch, 1)(url, { method: 'POST', body: 'file me' })).status).toBe(429);
    expect(asked()).toBe(1);
  });
});
