import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { retryThrottledReads } from './retry-throttled.ts';

const cleanups: (() => void)[] = [];
afterEach(() => cleanups.splice(0).forEach((close) => close()));

/** Starts a server that returns 429 for the first `refusals` requests and then 200, and counts all requests. */
async function startThrottlingServer(
  refusals: number,
  headers: Record<string, string> = {},
): Promise<{ url: string; countRequests: () => number }> {
  let requestCount = 0;
  const server = createServer((_request, response) => {
    requestCount += 1;
    response.writeHead(requestCount <= refusals ? 429 : 200, requestCount <= refusals ? headers : {}).end('x');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, countRequests: () => requestCount };
}

describe('retryThrottledReads', () => {
  it('repeats a throttled GET until it succeeds', async () => {
    const { url, countRequests } = await startThrottlingServer(2);
    expect((await retryThrottledReads(fetch, { firstPauseMs: 1 })(url)).status).toBe(200);
    expect(countRequests()).toBe(3);
  });

  it('returns the fourth 429 to the caller', async () => {
    const { url, countRequests } = await startThrottlingServer(9);
    expect((await retryThrottledReads(fetch, { firstPauseMs: 1 })(url)).status).toBe(429);
    expect(countRequests()).toBe(4);
  });

  it('never repeats a throttled POST', async () => {
    const { url, countRequests } = await startThrottlingServer(1);
    expect((await retryThrottledReads(fetch, { firstPauseMs: 1 })(url, { method: 'POST', body: 'file me' })).status).toBe(429);
    expect(countRequests()).toBe(1);
  });

  it('pauses all calls and waits as long as the provider asks', async () => {
    const { url } = await startThrottlingServer(1, { 'retry-after': '1' });
    const pauses: number[] = [];
    const startedAt = performance.now();
    const recordPause = async (ms: number): Promise<void> => void pauses.push(ms);
    expect((await retryThrottledReads(fetch, { firstPauseMs: 1, recordPause })(url)).status).toBe(200);
    expect(pauses).toEqual([1_000]);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990);
  });

  it('returns at once when the provider asks for a long wait or the call is a write, but still pauses all other calls', async () => {
    const { url, countRequests } = await startThrottlingServer(9, { 'retry-after': '60' });
    const pauses: number[] = [];
    const retryingFetch = retryThrottledReads(fetch, { recordPause: async (ms) => void pauses.push(ms) });
    expect((await retryingFetch(url)).status).toBe(429);
    expect((await retryingFetch(url, { method: 'POST', body: 'file me' })).status).toBe(429);
    expect([countRequests(), pauses]).toEqual([2, [60_000, 60_000]]);
  });
});
