import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { retryThrottledReads } from './retry-throttled.ts';

const closers: (() => void)[] = [];
afterEach(() => closers.splice(0).forEach((close) => close()));

/** A server that answers `refusals` requests with 429 and later ones with 200, and counts all requests. */
async function throttlingServer(refusals: number, headers: Record<string, string> = {}): Promise<{ url: string; asked: () => number }> {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    response.writeHead(asked <= refusals ? 429 : 200, asked <= refusals ? headers : {}).end('x');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: () => asked };
}

describe('retryThrottledReads', () => {
  it('repeats a throttled GET until it succeeds', async () => {
    const { url, asked } = await throttlingServer(2);
    expect((await retryThrottledReads(fetch, { firstPauseMs: 1 })(url)).status).toBe(200);
    expect(asked()).toBe(3);
  });

  it('returns the fourth 429 to the caller', async () => {
    const { url, asked } = await throttlingServer(9);
    expect((await retryThrottledReads(fetch, { firstPauseMs: 1 })(url)).status).toBe(429);
    expect(asked()).toBe(4);
  });

  it('never repeats a throttled POST', async () => {
    const { url, asked } = await throttlingServer(1);
    expect((await retryThrottledReads(fetch, { firstPauseMs: 1 })(url, { method: 'POST', body: 'file me' })).status).toBe(429);
    expect(asked()).toBe(1);
  });

  it('pauses all calls and waits as long as the provider asks', async () => {
    const { url } = await throttlingServer(1, { 'retry-after': '1' });
    const held: number[] = [];
    const startedAt = performance.now();
    const hold = async (ms: number): Promise<void> => void held.push(ms);
    expect((await retryThrottledReads(fetch, { firstPauseMs: 1, hold })(url)).status).toBe(200);
    expect(held).toEqual([1_000]);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990);
  });

  it('returns at once when the provider asks for a long wait or the call is a write, but still pauses all other calls', async () => {
    const { url, asked } = await throttlingServer(9, { 'retry-after': '60' });
    const held: number[] = [];
    const patient = retryThrottledReads(fetch, { hold: async (ms) => void held.push(ms) });
    expect((await patient(url)).status).toBe(429);
    expect((await patient(url, { method: 'POST', body: 'file me' })).status).toBe(429);
    expect([asked(), held]).toEqual([2, [60_000, 60_000]]);
  });
});
