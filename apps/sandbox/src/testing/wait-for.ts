import { setTimeout as pause } from 'node:timers/promises';

const TIMEOUT_MS = 60_000;

/** Waits for something asynchronous (a webhook, a loaded script) by polling `find`. */
export async function waitFor<Value>(find: () => Value | undefined | false | Promise<Value | undefined | false>): Promise<Value> {
  for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; await pause(5)) {
    const foundValue = await find();
    if (foundValue) return foundValue;
  }
  throw new Error(`nothing found within ${TIMEOUT_MS / 1000} seconds`);
}
