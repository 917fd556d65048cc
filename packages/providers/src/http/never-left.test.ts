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

/** As undici tells it: the system's error is the cause of its own. */
function fetchError(code: string, syscall: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(`${syscall} ${code}`), { code, syscall }) });
}

describe('a failed request never left', () => {
  it('where nobody listens, and not where somebody took it and hung up', async () => {
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

  it.each(['EHOSTUNREACH', 'ENETUNREACH'])('where no way led there, and not where the way was lost on it (%s)', (code) => {
    expect(neverLeft(fetchError(code, 'connect'))).toBe(true);
    expect(neverLeft(fetchError(code, 'read'))).toBe(false);
  });

  it('not where the answer was not waited for, or the connection broke', () => {
    expect(neverLeft(new DOMException('too late', 'TimeoutError'))).toBe(false);
    expect(neverLeft(fetchError('ECONNRESET', 'read'))).toBe(false);
    expect(neverLeft('odd')).toBe(false);
  });
});
