import { setTimeout as pause } from 'node:timers/promises';

const LIMIT_MS = 60_000;

/** Waits for something asynchronous (a webhook, a loaded script) by polling `find`. */
export async function until<Value>(find: () => Value | undefined | false | Promise<Value | undefined | false>): Promise<Value> {
  for (const deadline = Date.now() + LIMIT_MS; Date.now() < deadline; await pause(5)) {
    const found = await find();
    if (found) return found;
  }
  throw new Error(`nothing found within ${LIMIT_MS / 1000} seconds`);
}
