/** One stream of server-sent events to one browser: what is not read is not gathered, and a browser that is gone is not written to. */
import type { ServerResponse } from 'node:http';

export type EventStream = {
  /** Aborted when the browser has gone, has stopped reading, or the server ends. */
  readonly signal: AbortSignal;
  /** Resolves once there is room for more. A slow reader thus misses what was true in between, and never what is true in the end. */
  send(text: string): Promise<void>;
  event(name: string, data: string): Promise<void>;
  end(): void;
};

/** Browsers come back so long after a stream ended, by a restart too. */
const COME_BACK_MS = 3_000;

/** Writes the head. `stallMs`: whoever takes in nothing for so long is given up. */
export function openEventStream(raw: ServerResponse, { stallMs = 30_000 } = {}): EventStream {
  const stop = new AbortController();
  const { signal } = stop;
  raw.on('close', () => stop.abort());
  // A broken connection ends the stream; who reads it finds out by itself.
  raw.on('error', () => stop.abort());
  if (raw.destroyed) stop.abort();
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // nginx would gather the events otherwise.
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

/** So many streams a person may have open at one instance: a browser opens six connections to a site at most. */
export const MOST_STREAMS = 6;

/** Counts who has how many open. */
export function createStreamSeats(most = MOST_STREAMS) {
  const taken = new Map<string, number>();
  return {
    /** Gives the way to give the seat back; undefined where all of the person's are taken. */
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
