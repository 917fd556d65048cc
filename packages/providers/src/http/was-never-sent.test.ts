import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { wasNeverSent } from './was-never-sent.ts';

async function captureFetchError(url: string): Promise<unknown> {
  return fetch(url, { method: 'POST', body: 'pay once' }).then(
    () => expect.fail(`${url} answered`),
    (error: unknown) => error,
  );
}

/** Creates an error like undici's, whose cause is the system error. */
function createFetchError(code: string, syscall: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(`${syscall} ${code}`), { code, syscall }) });
}

describe('wasNeverSent', () => {
  it('is true when nothing listens, and false when the server closed the connection after the request', async () => {
    const server = createServer((socket) => socket.once('data', () => socket.destroy())).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    expect(wasNeverSent(await captureFetchError(`http://127.0.0.1:${port}/`))).toBe(false);
    server.close();
    await once(server, 'close');
    expect(wasNeverSent(await captureFetchError(`http://127.0.0.1:${port}/`))).toBe(true);
    expect(wasNeverSent(await captureFetchError('http://unknown.invalid/'))).toBe(true);
  });

  it.each(['EHOSTUNREACH', 'ENETUNREACH'])(
    'is true when connecting failed without a route (%s), and false when an open connection lost its route',
    (code) => {
      expect(wasNeverSent(createFetchError(code, 'connect'))).toBe(true);
      expect(wasNeverSent(createFetchError(code, 'read'))).toBe(false);
    },
  );

  it.each(['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'DEPTH_ZERO_SELF_SIGNED_CERT'])(
    'is true when the server’s certificate was not accepted (%s)',
    (code) => expect(wasNeverSent(createFetchError(code, 'connect'))).toBe(true),
  );

  it('is false after a time-out or a broken connection', () => {
    expect(wasNeverSent(new DOMException('too late', 'TimeoutError'))).toBe(false);
    expect(wasNeverSent(createFetchError('ECONNRESET', 'read'))).toBe(false);
    expect(wasNeverSent('odd')).toBe(false);
  });
});
