/** Tests what happens to an upload that is rejected, cut off, slow or concurrent with others. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { AppError } from '@portal/domain/app-error.ts';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, it, vi } from 'vitest';
import { acceptStreams, readBody } from './receive-file.ts';
import { sendErrors } from './send-errors.ts';

const LIMIT_BYTES = 12 * 1024 * 1024;
const createTooLargeError = (): AppError => new AppError('tooLarge', 'test.too_large', 'Too large.');

type LogEntry = { readonly level: number; readonly code?: string };

let activeParsers = 0;
let maxParsing = 0;
let gate = Promise.withResolvers<void>();
let app: FastifyInstance;
let logEntries: LogEntry[];
afterEach(() => app.close());

/** Starts a server that rejects a file after its first chunk. */
async function listen(): Promise<number> {
  logEntries = [];
  app = Fastify({
    forceCloseConnections: true,
    logger: { stream: { write: (line) => void logEntries.push(JSON.parse(line) as LogEntry) } },
  });
  sendErrors(app, () => undefined);
  acceptStreams(app);
  app.post('/file', async (incomingRequest) =>
    readBody(incomingRequest, { maxFileBytes: LIMIT_BYTES, createTooLargeError }, async (bytes) => {
      for await (const _chunk of bytes) throw new AppError('impossible', 'test.refused', 'Not a list.');
    }),
  );
  app.post('/kept', async (incomingRequest) =>
    readBody(incomingRequest, { maxFileBytes: LIMIT_BYTES, createTooLargeError }, async (bytes) => {
      for await (const _chunk of bytes) continue;
    }),
  );
  app.post('/held', async (incomingRequest) =>
    readBody(incomingRequest, { maxFileBytes: LIMIT_BYTES, createTooLargeError }, async () => {
      activeParsers += 1;
      maxParsing = Math.max(maxParsing, activeParsers);
      await gate.promise;
      activeParsers -= 1;
      return { done: true };
    }),
  );
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}

/**
 * Sends the whole file before reading the response, as browsers do. Resolves with the response's status; rejects if the connection breaks.
 */
function send(port: number, megabytes: number): Promise<number | undefined> {
  const megabyte = Buffer.alloc(1024 * 1024, 'x');
  return new Promise((resolve, reject) => {
    const outgoing = request({ port, host: '127.0.0.1', path: '/file', method: 'POST', headers: { 'content-type': 'text/csv' } });
    outgoing.on('response', (incomingResponse) => resolve(incomingResponse.resume().statusCode));
    outgoing.on('error', reject);
    Readable.from(Array.from({ length: megabytes }, () => megabyte)).pipe(outgoing);
  });
}

it('a large file rejected by its first bytes gets the reason in the response', async () => {
  expect(await send(await listen(), 10)).toBe(422);
}, 60_000);

it('an endless body is cut off at twice the limit', async () => {
  await expect(send(await listen(), 400)).rejects.toThrow(/ECONNRESET|EPIPE|socket hang up/);
}, 60_000);

it('a file whose sender disconnects is logged as such, not as a bug', async () => {
  const outgoing = request({
    port: await listen(),
    host: '127.0.0.1',
    path: '/kept',
    method: 'POST',
    headers: { 'content-type': 'text/csv' },
  });
  outgoing.on('error', () => undefined);
  outgoing.write('half a file');
  setTimeout(() => outgoing.destroy(), 100);
  await expect.poll(() => logEntries.filter(({ code }) => code !== undefined)).toMatchObject([{ level: 30, code: 'request.cut_off' }]);
  expect(logEntries.filter(({ level }) => level > 30)).toEqual([]);
});

it('at most two files are parsed at once, a slow sender blocks neither, and nothing remains on the disk', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'uploads-'));
  vi.stubEnv('TMPDIR', folder);
  gate = Promise.withResolvers<void>();
  maxParsing = 0;
  const port = await listen();
  const headers = { 'content-type': 'text/csv' };
  const post = (): Promise<Response> => fetch(`http://127.0.0.1:${port}/held`, { method: 'POST', body: 'a,b\n', headers });
  const slow = [1, 2].map(() => {
    const outgoing = request({ port, host: '127.0.0.1', path: '/held', method: 'POST', headers });
    outgoing.on('error', () => undefined);
    outgoing.write('a,');
    return outgoing;
  });
  const responses = [post(), post(), post(), post()];
  await expect.poll(() => readdirSync(folder).length).toBe(6);
  await expect.poll(() => activeParsers).toBe(2);
  gate.resolve();
  expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(maxParsing).toBe(2);
  for (const outgoing of slow) outgoing.destroy();
  await expect.poll(() => readdirSync(folder)).toEqual([]);
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});
