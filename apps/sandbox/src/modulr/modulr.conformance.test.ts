/** Tests the client of Modulr's account name check against the simulator. */
import { systemClock } from '@portal/domain/clock.ts';
import { createModulrClient } from '@portal/providers/modulr/modulr-client.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SimulatorHost, startSimulatorHost } from '../simulator/host-simulators.ts';
import { openFaults, type Faults } from '../simulator/faults.ts';
import { openSimulatorStore } from '../simulator/simulator-store.ts';
import { findFreePort } from '../testing/find-free-port.ts';
import { createModulrSimulator, type ModulrControls } from './modulr-simulator.ts';
import { SANDBOX_MODULR } from './sandbox-credentials.ts';

let host: SimulatorHost;
let controls: ModulrControls;
let faults: Faults;
let apiUrl: string;
const store = openSimulatorStore(':memory:');

beforeAll(async () => {
  const port = await findFreePort();
  apiUrl = `http://127.0.0.1:${port}/modulr`;
  faults = openFaults(store);
  const simulator = createModulrSimulator({ store, clock: systemClock, faults, publicUrl: apiUrl });
  controls = simulator.controls;
  host = await startSimulatorHost([{ basePath: '/modulr', plugin: simulator.plugin }], port, '127.0.0.1');
});
afterAll(async () => {
  await host.close();
  store.close();
});

const createTestClient = (overrides: Partial<Parameters<typeof createModulrClient>[0]> = {}) =>
  createModulrClient({ ...SANDBOX_MODULR, apiUrl, fetch, clock: systemClock, ...overrides });
const account = { sortCode: '200000', accountNumber: '11111111' };
const setAccount = (outcome: Parameters<ModulrControls['setAccount']>[0]['answer'], name = 'Brightwell Exports Ltd') =>
  controls.setAccount({ sort_code: account.sortCode, account_number: account.accountNumber, name, answer: outcome });
const check = (name: string) => createTestClient().checkBusinessAccount({ ...account, name });

describe('the account name check', () => {
  it('says whether the account is in the name, and shows the bank’s name for a close match only', async () => {
    setAccount('compares');
    expect(await check('Brightwell Exports Limited')).toMatchObject({ result: 'match', reason: 'MATCHED' });
    expect(await check('Brightwell')).toMatchObject({ result: 'close_match', name: 'Brightwell Exports Ltd' });
    const otherResult = await check('Sandpiper Seafood Ltd');
    expect(otherResult).toMatchObject({ result: 'no_match', reason: 'NOT_MATCHED' });
    expect(otherResult.name).toBeUndefined();
  });

  it.each([
    ['no_response', 'unavailable', 'NO_RESPONSE'],
    ['does_not_exist', 'no_match', 'ACCOUNT_DOES_NOT_EXIST'],
    ['personal_account', 'no_match', 'PERSONAL_ACCOUNT_NAME_MATCHED'],
  ] as const)('maps %s to %s', async (outcome, result, reason) => {
    setAccount(outcome);
    expect(await check('Brightwell Exports Ltd')).toMatchObject({ result, reason });
  });

  it('is rejected with a wrong secret', async () => {
    await expect(createTestClient({ secret: 'wrong' }).checkBusinessAccount({ ...account, name: 'X' })).rejects.toMatchObject({
      failure: 'unauthorized',
    });
  });

  it.each([
    ['server_error', 'unavailable'],
    ['too_many', 'throttled'],
    ['cut_before_work', 'unavailable'],
    ['malformed_body', 'unavailable'],
  ] as const)('reports %s as %s, never as a result', async (kind, failure) => {
    faults.set({ operation: 'modulr.account_name_check', kind, times: 1 });
    await expect(check('Brightwell Exports Ltd')).rejects.toMatchObject({ failure });
  });
});
