/** Doubles on a real port: what reaches them, and what reaches the caller. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Simulator } from './simulator.ts';
import { CUT_CONNECTION } from './faults.ts';
import { hostSimulators } from './host-simulators.ts';

async function host(answer: Simulator['fetch'], basePath = '/bank'): Promise<string> {
  const started = await hostSimulators([{ basePath, simulator: { fetch: answer } }], 0, '127.0.0.1');
  onTestFinished(() => started.close());
  return started.url;
}

describe('hosted doubles', () => {
  it('receive method, address, headers and the body byte by byte', async () => {
    const url = await host(async (request) =>
      Response.json({
        method: request.method,
        url: request.url,
        header: request.headers.get('x-sent'),
        body: [...new Uint8Array(await request.arrayBuffer())],
      }),
    );
    const response = await fetch(`${url}/bank/pay?x=%2F`, {
      method: 'POST',
      headers: { 'x-sent': 'é' },
      body: new Uint8Array([0, 255, 10]),
    });
    expect(await response.json()).toEqual({ method: 'POST', url: `${url}/bank/pay?x=%2F`, header: 'é', body: [0, 255, 10] });
  });

  it('send status, headers, every cookie and an empty body as they answered', async () => {
    const url = await host(
      async () =>
        new Response(null, {
          status: 404,
          headers: [
            ['set-cookie', 'a=1'],
            ['set-cookie', 'b=2'],
            ['x-told', 'yes'],
          ],
        }),
    );
    const response = await fetch(`${url}/bank/nothing`);
    expect([response.status, await response.text(), response.headers.get('x-told')]).toEqual([404, '', 'yes']);
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(response.headers.has('content-type')).toBe(false);
  });

  it('answer below the longest path that fits, and nobody answers elsewhere', async () => {
    const named = (name: string): Simulator => ({ fetch: async () => new Response(name) });
    const started = await hostSimulators(
      [
        { basePath: '/hmrc', simulator: named('api') },
        { basePath: '/hmrc/www', simulator: named('www') },
      ],
      0,
      '127.0.0.1',
    );
    onTestFinished(() => started.close());
    const ask = async (path: string) => (await fetch(started.url + path)).text();
    expect(await ask('/hmrc/x')).toBe('api');
    expect(await ask('/hmrc/www/x')).toBe('www');
    expect((await fetch(`${started.url}/hmrc-www/x`)).status).toBe(404);
  });

  it('cut the connection where a fault asks for it', async () => {
    const url = await host(async () => new Response(null, { status: CUT_CONNECTION }));
    await expect(fetch(`${url}/bank/pay`, { method: 'POST', body: 'x' })).rejects.toThrow('fetch failed');
  });

  it('refuse more than 5 MB before the double sees any of it', async () => {
    let calls = 0;
    const url = await host(async () => {
      calls += 1;
      return new Response('taken');
    });
    const response = await fetch(`${url}/bank/pay`, { method: 'POST', body: new Uint8Array(5 * 1024 * 1024 + 1) });
    expect([response.status, calls]).toEqual([413, 0]);
    expect(await (await fetch(`${url}/bank/pay`, { method: 'POST', body: new Uint8Array(5 * 1024 * 1024) })).text()).toBe('taken');
  });

  it('survive a double that fails, and say that the sandbox did', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    onTestFinished(() => log.mockRestore());
    let isBroken = true;
    const url = await host(async () => {
      if (isBroken) throw new Error('a fault of the double');
      return new Response('well');
    });
    const broken = await fetch(`${url}/bank/x`);
    expect([broken.status, await broken.text()]).toEqual([500, 'The sandbox itself failed; see its log.\n']);
    expect(log).toHaveBeenCalledOnce();
    isBroken = false;
    expect(await (await fetch(`${url}/bank/x`)).text()).toBe('well');
  });
});
