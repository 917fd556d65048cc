/** Tests simulators on a real port: the requests they receive and the responses callers receive. */
import type { FastifyPluginAsync } from 'fastify';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createFaultHooks } from './fault-hooks.ts';
import { openFaults, type FaultKind } from './faults.ts';
import { startSimulatorHost } from './host-simulators.ts';
import { readBodyText, requestUrl } from './request.ts';
import { openSimulatorStore } from './simulator-store.ts';

async function host(plugin: FastifyPluginAsync, basePath = '/bank'): Promise<string> {
  const startedHost = await startSimulatorHost([{ basePath, plugin }], 0, '127.0.0.1');
  onTestFinished(() => startedHost.close());
  return startedHost.url;
}

/** Starts a simulator with one operation that can fail. */
async function startPaymentsHost(kind: FaultKind) {
  const store = openSimulatorStore(':memory:');
  onTestFinished(() => store.close());
  const faults = openFaults(store, { slowMs: 1, hangMs: 1 });
  faults.set({ operation: 'bank.pay', kind, times: 1 });
  const counts = { payments: 0 };
  const url = await host(async (app) => {
    app.post('/pay', { ...createFaultHooks(faults, 'bank.pay') }, (_request, reply) => {
      counts.payments += 1;
      return reply.code(201).send({ id: 'p1', amount: 5 });
    });
  });
  const requestPayment = () => fetch(`${url}/bank/pay`, { method: 'POST', body: '{}' });
  return { pay: requestPayment, done: counts };
}

describe('hosted simulators', () => {
  it('receive method, address, headers and the raw body, whatever its type', async () => {
    const url = await host(async (app) => {
      app.post('/pay', (request, reply) =>
        reply.send({
          method: request.method,
          url: requestUrl(request).href,
          header: request.headers['x-sent'],
          body: readBodyText(request),
        }),
      );
    });
    for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/odd']) {
      const body = '{ "a":  1, "b": "é" }\n';
      const response = await fetch(`${url}/bank/pay/?x=%2F`, { method: 'POST', headers: { 'x-sent': 'y', 'content-type': type }, body });
      expect(await response.json()).toEqual({ method: 'POST', url: `${url}/bank/pay/?x=%2F`, header: 'y', body });
    }
  });

  it('send status, headers, all cookies and an empty body unchanged', async () => {
    const url = await host(async (app) => {
      app.get('/nothing', (_request, reply) => reply.code(404).header('set-cookie', ['a=1', 'b=2']).header('x-sent', 'yes').send());
      app.get('/json', (_request, reply) => reply.send({ a: 1 }));
    });
    const response = await fetch(`${url}/bank/nothing`);
    expect([response.status, await response.text(), response.headers.get('x-sent')]).toEqual([404, '', 'yes']);
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(response.headers.has('content-type')).toBe(false);
    const jsonResponse = await fetch(`${url}/bank/json`);
    expect([jsonResponse.headers.get('content-type'), await jsonResponse.text()]).toEqual(['application/json', '{"a":1}']);
    const headResponse = await fetch(`${url}/bank/json`, { method: 'HEAD' });
    expect([headResponse.status, await headResponse.text()]).toEqual([200, '']);
  });

  it('are found by the longest matching path, each with its own not-found response', async () => {
    const createNamedPlugin =
      (name: string): FastifyPluginAsync =>
      async (app) => {
        app.get('/x', (_request, reply) => reply.send(name));
        app.setNotFoundHandler((_request, reply) => reply.code(404).send(`not at ${name}`));
      };
    const startedHost = await startSimulatorHost(
      [
        { basePath: '/hmrc', plugin: createNamedPlugin('api') },
        { basePath: '/hmrc/www', plugin: createNamedPlugin('www') },
      ],
      0,
      '127.0.0.1',
    );
    onTestFinished(() => startedHost.close());
    const fetchText = async (path: string) => (await fetch(startedHost.url + path)).text();
    expect(await fetchText('/hmrc/x')).toBe('api');
    expect(await fetchText('/hmrc/www/x')).toBe('www');
    expect(await fetchText('/hmrc/y')).toBe('not at api');
    expect(await fetchText('/hmrc/www/y')).toBe('not at www');
    const otherPathResponse = await fetch(`${startedHost.url}/hmrc-www/x`);
    expect([otherPathResponse.status, await otherPathResponse.text()]).toEqual([404, '{"message":"No simulator answers here."}']);
  });

  it('reject more than 5 MB before the simulator is called', async () => {
    let calls = 0;
    const url = await host(async (app) => {
      app.post('/pay', (_request, reply) => {
        calls += 1;
        return reply.send('taken');
      });
    });
    const response = await fetch(`${url}/bank/pay`, { method: 'POST', body: new Uint8Array(5 * 1024 * 1024 + 1) });
    expect([response.status, calls]).toEqual([413, 0]);
    expect(await (await fetch(`${url}/bank/pay`, { method: 'POST', body: new Uint8Array(5 * 1024 * 1024) })).text()).toBe('taken');
  });

  it('survive a failing simulator, and report a failure of the sandbox', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    onTestFinished(() => log.mockRestore());
    let isBroken = true;
    const url = await host(async (app) => {
      app.get('/x', async (_request, reply) => {
        if (isBroken) throw new Error('a fault of the simulator');
        return reply.send('well');
      });
    });
    const brokenResponse = await fetch(`${url}/bank/x`);
    expect([brokenResponse.status, await brokenResponse.text()]).toEqual([500, 'The sandbox itself failed; see its log.\n']);
    expect(log).toHaveBeenCalledOnce();
    isBroken = false;
    expect(await (await fetch(`${url}/bank/x`)).text()).toBe('well');
  });
});

describe('faults of an operation', () => {
  it('reject one call without doing its work', async () => {
    const rejections: [FaultKind, number, string | null, string][] = [
      ['too_many', 429, null, '{"code":"MESSAGE_THROTTLED_OUT"'],
      ['too_many_later', 429, '3', '{"code":"MESSAGE_THROTTLED_OUT"'],
      ['server_error', 500, null, '{"code":"INTERNAL_SERVER_ERROR"'],
      ['html_page', 200, null, '<!doctype html>'],
    ];
    for (const [kind, status, retryAfter, start] of rejections) {
      const { pay, done: counts } = await startPaymentsHost(kind);
      const response = await pay();
      expect([response.status, response.headers.get('retry-after'), counts.payments], kind).toEqual([status, retryAfter, 0]);
      expect(await response.text(), kind).toContain(start);
      expect([(await pay()).status, counts.payments], kind).toEqual([201, 1]);
    }
  });

  it('do the work and change the response', async () => {
    const alteredResponses: [FaultKind, string][] = [
      ['malformed_body', '{"obligations":[{"start":'],
      ['wrong_types', '{"id":7,"amount":"5"}'],
      ['missing_fields', '{"amount":5}'],
      ['slow', '{"id":"p1","amount":5}'],
    ];
    for (const [kind, text] of alteredResponses) {
      const { pay, done: counts } = await startPaymentsHost(kind);
      const response = await pay();
      expect([response.status, await response.text(), counts.payments], kind).toEqual([201, text, 1]);
    }
  });

  it('do the work and cut the connection, before or during the response', async () => {
    const hangingHost = await startPaymentsHost('timeout_after_work');
    await expect(hangingHost.pay()).rejects.toThrow('fetch failed');
    expect(hangingHost.done.payments).toBe(1);
    const brokenHost = await startPaymentsHost('cut_off');
    const response = await brokenHost.pay();
    expect([response.status, response.headers.get('content-length'), brokenHost.done.payments]).toEqual([201, '23', 1]);
    await expect(response.text()).rejects.toThrow('terminated');
  });
});
