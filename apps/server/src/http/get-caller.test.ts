import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import cookie from '@fastify/cookie';
import fastify from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { getCaller, type Caller } from './serve-contract.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Sends one request over a real connection. Returns the caller as the server identifies it, and the connection's own port. */
async function callWith(headers: Record<string, string>, trustProxy: string | boolean): Promise<{ caller: Caller; port: number }> {
  const app = fastify({ trustProxy });
  await app.register(cookie);
  let caller: Caller | undefined;
  app.get('/', async (receivedRequest) => {
    caller = getCaller(receivedRequest);
    return {};
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  closers.push(() => app.close());
  const port = await new Promise<number>((resolve, reject) => {
    const sentRequest = request(
      { host: '127.0.0.1', port: (app.server.address() as AddressInfo).port, headers, agent: false },
      (response) => {
        const { localPort } = response.socket;
        response.resume().once('end', () => resolve(localPort ?? 0));
      },
    );
    sentRequest.once('error', reject).end();
  });
  if (!caller) throw new Error('the request did not arrive');
  return { caller, port };
}

describe('the caller of a request', () => {
  const forwarded = { 'x-forwarded-for': '198.51.100.7', 'x-forwarded-client-port': '50123' };

  it('has the address and port that a trusted proxy forwards', async () => {
    const { caller } = await callWith(forwarded, 'loopback');
    expect(caller).toMatchObject({ ip: '198.51.100.7', port: 50_123 });
  });

  it.each([false, '192.0.2.1'])(
    'has its connection’s address and port if that isn’t a trusted proxy (TRUST_PROXY %s)',
    async (trustProxy) => {
      const { caller, port } = await callWith(forwarded, trustProxy);
      expect(caller).toMatchObject({ ip: '127.0.0.1', port });
    },
  );

  it('has no port if the proxy names none, because the connection is the proxy’s own', async () => {
    const { caller } = await callWith({ 'x-forwarded-for': '198.51.100.7' }, 'loopback');
    expect(caller.port).toBeUndefined();
  });
});
