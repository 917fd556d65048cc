import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { findFreePort } from './find-free-port.ts';

it('returns a port that is free and outside the system’s range for outgoing connections', async () => {
  const port = await findFreePort();
  expect(port).toBeLessThan(32_768);
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
});

it('never returns the same port twice, even to processes that do not listen on theirs yet', async () => {
  // Uses so few ports that independent random choices would collide.
  const narrowRange = [12_000, 12_200] as const;
  const ownPorts = await Promise.all(Array.from({ length: 40 }, () => findFreePort(narrowRange)));
  expect(new Set(ownPorts).size).toBe(40);
  const script = `
    const { findFreePort } = await import(${JSON.stringify(new URL('find-free-port.ts', import.meta.url).href)});
    console.log(JSON.stringify(await Promise.all(Array.from({ length: 40 }, () => findFreePort([12_000, 12_200])))));`;
  const otherPorts = JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' }),
  ) as number[];
  expect(otherPorts.filter((port) => ownPorts.includes(port))).toEqual([]);
});

it('gives no one else the ports that follow the first of a range', async () => {
  const narrowRange = [13_000, 13_100] as const;
  const first = await findFreePort(narrowRange, 3);
  const concurrentPorts = await Promise.all(Array.from({ length: 15 }, () => findFreePort(narrowRange)));
  expect(concurrentPorts.filter((port) => port >= first && port < first + 3)).toEqual([]);
});
