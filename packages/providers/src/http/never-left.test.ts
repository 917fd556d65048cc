import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { neverLeft } from './never-left.ts';

async function failureOf(url: string): Promise<unknown> {
  return fetch(url, { method: 'POST', body: 'pay once' }).then(
    () => expect.fail(`${url} answered`),
    (error: unknown) => error,
  );
}

/** Like undici's errors, which have the system error as their cause. */
function fetchError(code: string, syscall: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(`${syscall} ${code}`), { code, syscall }) });
}

describe('wasNeverSent', () => {
  it('is true when nothing listens, and false when the server closed the connection after the request', async () => {
    const server = createServer((socket) => socket.once('data', () => socket.destroy())).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    expect(neverLeft(await failureOf(`http://127.0.0.1:${port}/`))).toBe(false);
    server.close();
    await once(server, 'close');
    expect(neverLeft(await failureOf(`http://127.0.0.1:${port}/`))).toBe(true);
    expect(neverLeft(await failureOf('http://nobody.invalid/'))).toBe(true);
  });

  it.each(['EHOSTUNREACH', 'ENETUNREACH'])(
    'is true when connecting failed without a route (%s), and false when an open connection lost its route',
    (code) => {
      expect(neverLeft(fetchError(code, 'connect'))).toBe(true);
      expect(neverLeft(fetchError(code, 'read'))).toBe(false);
    },
  );

  it('is false after a time-out or a broken connection', () => {
    expect(neverLeft(new DOMException('too late', 'TimeoutError'))).toBe(false);
    expect(neverLeft(fetchError('ECONNRESET', 'read'))).toBe(false);
    expect(neverLeft('odd')).toBe(false);
  });
});
