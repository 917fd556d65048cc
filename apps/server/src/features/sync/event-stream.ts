/** A stream of server-sent events to one browser. Buffers nothing for a slow reader, and stops when the browser disconnects. */
import type { ServerResponse } from 'node:http';

export type EventStream = {
  /** Aborted when the browser disconnects or stops reading, or when the server shuts down. */
  readonly signal: AbortSignal;
  /** Resolves when there is room for more. A slow reader misses intermediate states but always gets the latest one. */
  send(text: string): Promise<void>;
  event(name: string, data: string): Promise<void>;
  end(): void;
};

/** How long browsers wait before reconnecting, for example after a restart. */
const RECONNECT_MS = 3_000;

type StreamOptions = { readonly headers?: Readonly<Record<string, string | number | string[] | undefined>>; readonly stallMs?: number };

/** Writes the response head, with the `headers` of every response. Disconnects a reader that accepts nothing for `stallMs`. */
export function openEventStream(raw: ServerResponse, { headers = {}, stallMs = 30_000 }: StreamOptions = {}): EventStream {
  const controller = new AbortController();
  const { signal } = controller;
  raw.on('close', () => controller.abort());
  // A broken connection only ends the stream. The browser reconnects automatically.
  raw.on('error', () => controller.abort());
  if (raw.destroyed) controller.abort();
  raw.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // Without this header nginx buffers the events.
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  });
  raw.write(`retry: ${RECONNECT_MS}\n\n`);
  const send = async (text: string): Promise<void> => {
    if (signal.aborted || raw.write(text)) return;
    await waitForDrain(raw, signal, stallMs);
    if (!signal.aborted && raw.writableNeedDrain) raw.destroy();
  };
  return {
    signal,
    send,
    event: (name, data) => send(`event: ${name}\ndata: ${data}\n\n`),
    end: () => {
      controller.abort();
      raw.end();
    },
  };
}

function waitForDrain(raw: ServerResponse, signal: AbortSignal, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      raw.off('drain', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, timeoutMs);
    raw.on('drain', done);
    signal.addEventListener('abort', done);
  });
}

/** Maximum streams per user and instance. Browsers open at most six HTTP/1.1 connections to a site. */
export const MAX_STREAMS_PER_USER = 6;

/** Limits the number of open streams per user. */
export function createStreamLimiter(limit = MAX_STREAMS_PER_USER) {
  const openStreams = new Map<string, number>();
  return {
    /** Returns a function that releases the slot, or undefined if the user has reached the limit. */
    acquire: (userId: string): (() => void) | undefined => {
      const openCount = openStreams.get(userId) ?? 0;
      if (openCount >= limit) return undefined;
      openStreams.set(userId, openCount + 1);
      return () => {
        const remaining = (openStreams.get(userId) ?? 1) - 1;
        if (remaining > 0) openStreams.set(userId, remaining);
        else openStreams.delete(userId);
      };
    },
  };
}
