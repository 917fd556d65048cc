/** Ports for doubles and portals that must know their address before they listen: in tests, benches and scripts. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that the system gives to outgoing connections and to whoever asks for any (from 32768 on Linux): between our look and
 * the listening, one of those could be taken by somebody else.
 */
const [FIRST, END] = [12_000, 32_000];
const MOST_TRIES = 50;

/** A port of this machine that nobody listens on at the moment. */
export async function freePort(): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const port = randomInt(FIRST, END);
    const probe = createServer().listen(port, '127.0.0.1');
    try {
      await once(probe, 'listening');
    } catch (error) {
      if (attempt === MOST_TRIES) throw error;
      continue;
    }
    probe.close();
    await once(probe, 'close');
    return port;
  }
}
