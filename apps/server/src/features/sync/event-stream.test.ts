/** One stream over a real connection, to readers that are slow, stop, or are gone. */
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createStreamSeats, openEventStream, type EventStream } from './event-stream.ts';

/** A stream, and the reader's end of its connection, which reads nothing until told. */
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

/** Says large things until one has to wait; whether all were taken. */
async function fill(stream: EventStream): Promise<void> {
  for (let said = 0; said < 1_000; said += 1) {
    const isTaken = await Promise.race([stream.event('progress', LARGE).then(() => true), pause(100).then(() => false)]);
    if (!isTaken) return;
  }
  throw new Error('a reader that reads nothing was sent everything');
}

it('to a reader that is slow waits, gathers nothing, and goes on when it reads', async () => {
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

it('to a reader that takes in nothing any more is given up', async () => {
  const { stream, raw } = await streamTo(200);
  await fill(stream);
  await expect.poll(() => stream.signal.aborted).toBe(true);
  expect(raw.destroyed).toBe(true);
  // Whoever still writes is not held up.
  await stream.event('progress', LARGE);
});

it('to a reader that is gone ends, also where it went before it began', async () => {
  const { stream, socket } = await streamTo(20_000);
  socket.destroy();
  await expect.poll(() => stream.signal.aborted).toBe(true);
  const gone = await streamTo(20_000);
  gone.raw.destroy();
  await pause(50);
  expect(gone.stream.signal.aborted).toBe(true);
});

it('has so many seats a person; one that is left is free again', () => {
  const seats = createStreamSeats(2);
  const [first, second] = [seats.take('a'), seats.take('a')];
  expect([first, second, seats.take('a'), seats.take('b')].map((seat) => seat !== undefined)).toEqual([true, true, false, true]);
  first?.();
  expect(seats.take('a')).toBeDefined();
  expect(seats.take('a')).toBeUndefined();
});
