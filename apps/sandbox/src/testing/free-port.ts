/** Ports for doubles and portals that must know their address before they listen: in tests, benches and scripts. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Below the ports that the system gives to outgoing connections and to whoever asks for any (from 32768 on Linux): between our look and
 * the listening, one of those could be taken by somebody else.
 */
const ANY = [12_000, 32_000] as const;
const MOST_TRIES = 50;

/** A port of this machine that nobody listens on, and that no other process of ours gets from here while this one lives. `end` is not among them. */
export async function freePort([first, end]: readonly [number, number] = ANY): Promise<number> {
  for (let attempt = 1; attempt <= MOST_TRIES; attempt += 1) {
    const port = randomInt(first, end);
    if (claim(port) && (await canListen(port))) return port;
  }
  throw new Error(`none of ${MOST_TRIES} ports between ${first} and ${end} was free`);
}

/** On every address: a server on any of them is in the way. */
async function canListen(port: number): Promise<boolean> {
  const probe = createServer().listen(port);
  try {
    await once(probe, 'listening');
  } catch {
    // Whatever the reason, this port is not for us; where none is, freePort says so.
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}

const CLAIMS = join(tmpdir(), 'portal-ports');
const claimed = new Set<string>();
process.on('exit', () => {
  for (const file of claimed) rmSync(file, { force: true });
});

/** A file named by the port, with who has it: several processes look for ports at the same moment, long before their servers listen. */
function claim(port: number): boolean {
  mkdirSync(CLAIMS, { recursive: true });
  const file = join(CLAIMS, String(port));
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    claimed.add(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // Left by a process that is no more: for the next look. Taking it over here, two could do at once.
    if (!claimed.has(file) && hasEnded(holderOf(file))) rmSync(file, { force: true });
    return false;
  }
}

/** Undefined where the file was just made and is not yet written, or has just gone. */
function holderOf(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

function hasEnded(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
