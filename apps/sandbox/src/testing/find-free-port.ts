/** Reserves ports for simulators and portals that must know their address before they listen, in tests, benchmarks and scripts. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The range ends below the ephemeral ports (from 32768 on Linux), because the system could assign one of those to another process between
 * the check and its use.
 */
const PORT_RANGE = [12_000, 32_000] as const;
const MAX_ATTEMPTS = 50;

/**
 * Returns the first of `count` consecutive free ports. While this process runs, the function gives these ports to no other process. `end`
 * is exclusive.
 */
export async function findFreePort([first, end]: readonly [number, number] = PORT_RANGE, count = 1): Promise<number> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const port = randomInt(first, end);
    const row = Array.from({ length: count }, (_, index) => port + index);
    if (row.every(tryClaim) && (await Promise.all(row.map(canListen))).every(Boolean)) return port;
  }
  throw new Error(`None of ${MAX_ATTEMPTS} ports between ${first} and ${end} was free.`);
}

/** Reserves ports for the sandbox's mail server. The next two are for the virus scanner and the bounce reports. */
export function findFreeSmtpPort(): Promise<number> {
  return findFreePort(PORT_RANGE, 3);
}

/** Checks all addresses, because a server on any of them would conflict. */
async function canListen(port: number): Promise<boolean> {
  const probe = createServer().listen(port);
  try {
    await once(probe, 'listening');
  } catch {
    // The reason doesn't matter: findFreePort throws if no port is left.
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}

const CLAIMS_FOLDER = join(tmpdir(), 'portal-ports');
const claimedPorts = new Set<string>();
process.on('exit', () => {
  for (const file of claimedPorts) rmSync(file, { force: true });
});

/** Claims a port with a file that contains the process ID, because several processes may choose ports long before their servers listen. */
function tryClaim(port: number): boolean {
  mkdirSync(CLAIMS_FOLDER, { recursive: true });
  const file = join(CLAIMS_FOLDER, String(port));
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    claimedPorts.add(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // The file belongs to a process that has ended. It is removed but not claimed, because two processes could take it over at the same
    // moment.
    if (!claimedPorts.has(file) && isDead(readOwner(file))) rmSync(file, { force: true });
    return false;
  }
}

/** Returns undefined if the file hasn't been written yet or has just been removed. */
function readOwner(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

function isDead(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
