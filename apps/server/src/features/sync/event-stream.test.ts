/** One event stream over a real connection, with readers that are slow, stop reading or disconnect. */
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createStreamSeats, openEventStream, type EventStream } from './event-stream.ts';

/** A stream and the client socket, which reads nothing until it is resumed. */
async function streamTo(stallMs: number): Promise<{ stream: EventStream; raw: ServerResponse; socket: Socket }> {
  const opened = Promise.withResolvers<{ stream: EventStream; raw: ServerResponse }>();
  const server = createServer((_request, raw) => opened.resolve({ stream: openEventStream(raw, { stallMs }), raw }));
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
  return { ...(await opened.promise), socket };
}

const LARGE = JSON.stringify({ filler: 'x'.repeat(100_000) });

/** Sends large events until one has to wait for the reader. */
async function fill(stream: EventStream): Promise<void> {
  for (let said = 0; said < 1_000; said += 1) {
    const isTaken = await Promise.race([stream.event('progress', LARGE).then(() => true), pause(100).then(() => false)]);
    if (!isTaken) return;
  }
  throw new Error('every event was accepted although the reader reads nothing');
}

it('a stream to a slow reader waits without buffering, and continues when it reads', async () => {
  const { stream, raw, socket } = await streamTo(20_000);
  await fill(stream);
  expect(raw.writableLength).toBeLessThan(2 * LARGE.length);
  let heard = '';
  socket.on('data', (chunk: Buffer) => (heard += chunk.toString()));
  socket.resume();
  await expect.poll(() => raw.writableNeedDrain).toBe(false);
  await stream.event('progress', '"the end"');
  await expect.poll(() => heard.includes('data: "the end"')).toBe(true);
  expect(stream.signal.aborted).toBe(false);
});

it('a stream to a reader that stopped reading is closed', async () => {
  const { stream, raw } = await streamTo(200);
  await fill(stream);
  await expect.poll(() => stream.signal.aborted).toBe(true);
  expect(raw.destroyed).toBe(true);
  // A later event returns at once.
  await stream.event('progress', LARGE);
});

it('a stream ends when the reader disconnects, even before it starts', async () => {
  const { stream, socket } = await streamTo(20_000);
  socket.destroy();
  await expect.poll(() => stream.signal.aborted).toBe(true);
  const gone = await streamTo(20_000);
  gone.raw.destroy();
  await pause(50);
  expect(gone.stream.signal.aborted).toBe(true);
});

it('a user has a limited number of streams, and closing one frees its place', () => {
  const seats = createStreamSeats(2);
  const [first, second] = [seats.take('a'), seats.take('a')];
  expect([first, second, seats.take('a'), seats.take('b')].map((seat) => seat !== undefined)).toEqual([true, true, false, true]);
  first?.();
  expect(seats.take('a')).toBeDefined();
  expect(seats.take('a')).toBeUndefined();
});
