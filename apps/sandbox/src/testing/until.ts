import { setTimeout as pause } from 'node:timers/promises';

const LIMIT_MS = 60_000;

/** What comes by itself, a webhook or a loaded script: looked for until it is there. A busy machine takes its time. */
export async function until<Value>(find: () => Value | undefined | false | Promise<Value | undefined | false>): Promise<Value> {
  for (const end = Date.now() + LIMIT_MS; Date.now() < end; await pause(5)) {
    const found = await find();
    if (found) return found;
  }
  throw new Error(`waited ${LIMIT_MS / 1000} seconds in vain`);
}
