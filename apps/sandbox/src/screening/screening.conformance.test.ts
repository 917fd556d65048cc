/** Tests the sanctions and PEP screening client against the simulator. */
import { systemClock } from '@portal/domain/clock.ts';
import { createScreeningClient } from '@portal/providers/screening/screening-client.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SimulatorHost, startSimulatorHost } from '../simulator/host-simulators.ts';
import { openFaults, type Faults } from '../simulator/faults.ts';
import { openSimulatorStore } from '../simulator/simulator-store.ts';
import { findFreePort } from '../testing/find-free-port.ts';
import { createScreeningSimulator, type ScreeningControls } from './screening-simulator.ts';
import { SANDBOX_SCREENING } from './sandbox-credentials.ts';

let host: SimulatorHost;
let controls: ScreeningControls;
let faults: Faults;
let apiUrl: string;
const store = openSimulatorStore(':memory:');

beforeAll(async () => {
  const port = await findFreePort();
  apiUrl = `http://127.0.0.1:${port}/opensanctions`;
  faults = openFaults(store);
  const simulator = createScreeningSimulator({ store, clock: systemClock, faults, publicUrl: apiUrl });
  controls = simulator.controls;
  host = await startSimulatorHost([{ basePath: '/opensanctions', plugin: simulator.plugin }], port, '127.0.0.1');
  controls.addEntity({ schema: 'Person', name: 'Marcus Lane', topic: 'sanction' });
  controls.addEntity({ schema: 'Company', name: 'Kestrel Nominees Limited', topic: 'crime.fin' });
});
afterAll(async () => {
  await host.close();
  store.close();
});

const createTestClient = (overrides: Partial<typeof SANDBOX_SCREENING> | { apiKey: string } = {}) =>
  createScreeningClient({ ...SANDBOX_SCREENING, apiUrl, fetch, ...overrides });

describe('screening', () => {
  it('returns the hits of each subject in order, with people and companies separate', async () => {
    const hits = await createTestClient().screen([
      { kind: 'person', name: 'Tessa Bright' },
      { kind: 'person', name: 'LANE, Marcus' },
      { kind: 'company', name: 'Kestrel Nominees Ltd', registrationNumber: '01234567' },
      { kind: 'company', name: 'Marcus Lane' },
    ]);
    expect(hits.map((found) => found.map(({ caption }) => caption))).toEqual([[], ['Marcus Lane'], ['Kestrel Nominees Limited'], []]);
    expect(hits[1]?.[0]).toMatchObject({ topics: ['sanction'], score: 1 });
  });

  it('splits more subjects than one call allows over several calls', async () => {
    const listedPeople = Array.from({ length: 60 }, (_, index) => ({
      kind: 'person' as const,
      name: index === 55 ? 'Marcus Lane' : `Ann Other${index}`,
    }));
    const hits = await createTestClient().screen(listedPeople);
    expect(hits.flatMap((found, index) => (found.length > 0 ? [index] : []))).toEqual([55]);
  });

  it('says how many matches of a frequent name the provider didn’t return', async () => {
    for (let index = 0; index < 12; index += 1)
      controls.addEntity({ schema: 'Person', name: `John ${String.fromCodePoint(65 + index)} Smith`, topic: 'role.pep' });
    const [hits] = await createTestClient().screen([{ kind: 'person', name: 'John Smith' }]);
    expect(hits).toHaveLength(11);
    expect(hits?.at(-1)).toMatchObject({ caption: expect.stringMatching(/^2 more possible matches/), topics: ['not_returned'] });
  });

  it('is rejected with a wrong key', async () => {
    await expect(createTestClient({ apiKey: 'wrong' }).screen([{ kind: 'person', name: 'A B' }])).rejects.toMatchObject({
      failure: 'unauthorized',
    });
  });

  it.each([
    ['server_error', 'unavailable'],
    ['too_many', 'throttled'],
    ['cut_before_work', 'unavailable'],
    ['malformed_body', 'unavailable'],
    ['missing_fields', 'unavailable'],
  ] as const)('reports %s as %s, never as “nothing found”', async (kind, failure) => {
    faults.set({ operation: 'opensanctions.match', kind, times: 1 });
    await expect(createTestClient().screen([{ kind: 'person', name: 'Tessa Bright' }])).rejects.toMatchObject({ failure });
  });
});
