/** Tests one event stream over a real connection, with readers that are slow, stop reading or disconnect. */
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createStreamLimiter, openEventStream, type EventStream } from './event-stream.ts';

/** Opens a stream and its client socket, which doesn't read until it is resumed. */
async function openTestStream(stallMs: number): Promise<{ stream: EventStream; raw: ServerResponse; socket: Socket }> {
  const openedStream = Promise.withResolvers<{ stream: EventStream; raw: ServerResponse }>();
  const server = createServer((_request, raw) => openedStream.resolve({ stream: openEventStream(raw, { stallMs }), raw }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.pause();
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n');
  onTestFinished(() => {
    socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  return { ...(await openedStream.promise), socket };
}

const LARGE_EVENT = JSON.stringify({ filler: 'x'.repeat(100_000) });

/** Sends large events until one has to wait for the reader. */
async function fillBuffer(stream: EventStream): Promise<void> {
  for (let sentCount = 0; sentCount < 1_000; sentCount += 1) {
    const wasAccepted = await Promise.race([stream.event('progress', LARGE_EVENT).then(() => true), pause(100).then(() => false)]);
    if (!wasAccepted) return;
  }
  throw new Error('every event was accepted although the reader reads nothing');
}

it('a stream to a slow reader waits without buffering, and continues when it reads', async () => {
  const { stream, raw, socket } = await openTestStream(20_000);
  await fillBuffer(stream);
  expect(raw.writableLength).toBeLessThan(2 * LARGE_EVENT.length);
  let receivedText = '';
  socket.on('data', (chunk: Buffer) => (receivedText += chunk.toString()));
  socket.resume();
  await expect.poll(() => raw.writableNeedDrain).toBe(false);
  await stream.event('progress', '"the end"');
  await expect.poll(() => receivedText.includes('data: "the end"')).toBe(true);
  expect(stream.signal.aborted).toBe(false);
});

it('a stream to a reader that stopped reading is closed', async () => {
  const { stream, raw } = await openTestStream(200);
  await fillBuffer(stream);
  await expect.poll(() => stream.signal.aborted).toBe(true);
  expect(raw.destroyed).toBe(true);
  // Sending a later event returns immediately.
  await stream.event('progress', LARGE_EVENT);
});

it('a stream ends when the reader disconnects, even before it starts', async () => {
  const { stream, socket } = await openTestStream(20_000);
  socket.destroy();
  await expect.poll(() => stream.signal.aborted).toBe(true);
  const disconnectedStream = await openTestStream(20_000);
  disconnectedStream.raw.destroy();
  await pause(50);
  expect(disconnectedStream.stream.signal.aborted).toBe(true);
});

it('a user has a limited number of streams, and closing one frees its place', () => {
  const limiter = createStreamLimiter(2);
  const [first, second] = [limiter.acquire('a'), limiter.acquire('a')];
  expect([first, second, limiter.acquire('a'), limiter.acquire('b')].map((slot) => slot !== undefined)).toEqual([true, true, false, true]);
  first?.();
  expect(limiter.acquire('a')).toBeDefined();
  expect(limiter.acquire('a')).toBeUndefined();
});
