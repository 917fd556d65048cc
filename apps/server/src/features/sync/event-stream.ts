/** A stream of server-sent events to one browser. It buffers nothing for a slow reader and stops when the browser disconnects. */
import type { ServerResponse } from 'node:http';

export type EventStream = {
  /** Aborted when the browser disconnects or stops reading, or the server shuts down. */
  readonly signal: AbortSignal;
  /** Resolves when there is room for more. A slow reader misses intermediate states but always gets the latest one. */
  send(text: string): Promise<void>;
  event(name: string, data: string): Promise<void>;
  end(): void;
};

/** How long browsers wait before they reconnect, for example after a restart. */
const COME_BACK_MS = 3_000;

/** Writes the response head. A reader that accepts nothing for `stallMs` is disconnected. */
export function openEventStream(raw: ServerResponse, { stallMs = 30_000 } = {}): EventStream {
  const stop = new AbortController();
  const { signal } = stop;
  raw.on('close', () => stop.abort());
  // A broken connection only ends the stream. The browser reconnects by itself.
  raw.on('error', () => stop.abort());
  if (raw.destroyed) stop.abort();
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // Otherwise nginx buffers the events.
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  });
  raw.write(`retry: ${COME_BACK_MS}\n\n`);
  const send = async (text: string): Promise<void> => {
    if (signal.aborted || raw.write(text)) return;
    await untilDrained(raw, signal, stallMs);
    if (!signal.aborted && raw.writableNeedDrain) raw.destroy();
  };
  return {
    signal,
    send,
    event: (name, data) => send(`event: ${name}\ndata: ${data}\n\n`),
    end: () => {
      stop.abort();
      raw.end();
    },
  };
}

function untilDrained(raw: ServerResponse, signal: AbortSignal, limitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      raw.off('drain', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, limitMs);
    raw.on('drain', done);
    signal.addEventListener('abort', done);
  });
}

/** Streams per user and instance. Browsers open at most six HTTP/1.1 connections to a site. */
export const MOST_STREAMS = 6;

/** Counts the open streams of each user. */
export function createStreamSeats(most = MOST_STREAMS) {
  const taken = new Map<string, number>();
  return {
    /** Returns a function that releases the place. Undefined when the user has reached the limit. */
    take: (userId: string): (() => void) | undefined => {
      const held = taken.get(userId) ?? 0;
      if (held >= most) return undefined;
      taken.set(userId, held + 1);
      return () => {
        const left = (taken.get(userId) ?? 1) - 1;
        if (left > 0) taken.set(userId, left);
        else taken.delete(userId);
      };
    },
  };
}
