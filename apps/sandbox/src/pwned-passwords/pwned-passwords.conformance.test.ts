/** Tests the client of the leaked password search against the simulator. */
import { systemClock } from '@portal/domain/clock.ts';
import { createPwnedPasswordsClient } from '@portal/providers/pwned-passwords/pwned-passwords-client.ts';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SimulatorHost, startSimulatorHost } from '../simulator/host-simulators.ts';
import { openFaults, type Faults } from '../simulator/faults.ts';
import { openSimulatorStore } from '../simulator/simulator-store.ts';
import { findFreePort } from '../testing/find-free-port.ts';
import { createPwnedPasswordsSimulator, LEAKED_PASSWORDS } from './pwned-passwords-simulator.ts';

let host: SimulatorHost;
let faults: Faults;
let apiUrl: string;
const requests: { url: string; headers: Headers }[] = [];
const store = openSimulatorStore(':memory:');

beforeAll(async () => {
  const port = await findFreePort();
  apiUrl = `http://127.0.0.1:${port}/pwned-passwords`;
  faults = openFaults(store);
  const { plugin } = createPwnedPasswordsSimulator({ store, clock: systemClock, faults });
  host = await startSimulatorHost([{ basePath: '/pwned-passwords', plugin }], port, '127.0.0.1');
});
afterAll(async () => {
  await host.close();
  store.close();
});

const createTestClient = () =>
  createPwnedPasswordsClient({
    apiUrl,
    fetch: (input, init) => {
      requests.push({ url: input instanceof Request ? input.url : input.toString(), headers: new Headers(init?.headers) });
      return fetch(input, init);
    },
  });

describe('the search for leaked passwords', () => {
  it('finds a leaked password among padding, and no other', async () => {
    for (const password of LEAKED_PASSWORDS) expect(await createTestClient().countLeaks(password)).toBeGreaterThan(0);
    expect(await createTestClient().countLeaks('a long enough one')).toBe(0);
  });

  it('sends five characters of the hash, and asks for padding', async () => {
    await createTestClient().countLeaks('correct horse battery staple');
    const { url, headers } = requests.at(-1) ?? { url: '', headers: new Headers() };
    const hash = createHash('sha1').update('correct horse battery staple').digest('hex').toUpperCase();
    expect(url).toBe(`${apiUrl}/range/${hash.slice(0, 5)}`);
    expect(headers.get('add-padding')).toBe('true');
  });

  it.each([
    ['server_error', 'unavailable'],
    ['too_many', 'throttled'],
    ['cut_before_work', 'unavailable'],
    ['malformed_body', 'unavailable'],
  ] as const)('reports %s as %s, never as “not leaked”', async (kind, failure) => {
    faults.set({ operation: 'pwned_passwords.range', kind, times: 1 });
    await expect(createTestClient().countLeaks('a long enough one')).rejects.toMatchObject({ failure });
  });
});
