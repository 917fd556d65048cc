/** Tests the clamd client against the simulator over a real connection. */
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import { createClamdClient } from '@portal/providers/clamd/clamd-client.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFaults, type Faults } from '../simulator/faults.ts';
import { openSimulatorStore } from '../simulator/simulator-store.ts';
import { EICAR_TEST_FILE, openClamdSimulator, type ClamdSimulator } from './clamd-simulator.ts';

const store = openSimulatorStore(':memory:');
let faults: Faults;
let clamd: ClamdSimulator;
beforeAll(async () => {
  faults = openFaults(store, { slowMs: 400, hangMs: 50 });
  clamd = await openClamdSimulator(faults, 0, '127.0.0.1');
});
afterAll(async () => {
  await clamd.close();
  store.close();
});

const createTestClient = (timeoutMs?: number) =>
  createClamdClient({ url: `tcp://127.0.0.1:${clamd.port}`, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
const unavailableError = expect.objectContaining({ failure: 'unavailable' });

describe('a scan', () => {
  it('finds nothing in a clean file, however many chunks it takes', async () => {
    expect(await createTestClient().scan(new Uint8Array())).toEqual({ isInfected: false });
    expect(await createTestClient().scan(Buffer.alloc(3_000_001, 'x'))).toEqual({ isInfected: false });
  });

  it('names the virus, even across two chunks', async () => {
    const padding = Buffer.alloc(64 * 1024 - 20, 'x');
    expect(await createTestClient().scan(Buffer.concat([padding, Buffer.from(EICAR_TEST_FILE), padding]))).toEqual({
      isInfected: true,
      signature: 'Eicar-Signature',
    });
  });

  it.each(['server_error', 'cut_off', 'timeout_after_work'] as const)('that ends early gives no verdict: %s', async (kind) => {
    faults.set({ operation: 'clamd.scan', kind, times: 1 });
    await expect(createTestClient().scan(Buffer.from('x'))).rejects.toEqual(unavailableError);
    expect(await createTestClient().scan(Buffer.from('x'))).toEqual({ isInfected: false });
  });

  it('of a file larger than clamd accepts gives no verdict', async () => {
    const error: unknown = await createTestClient()
      .scan(Buffer.alloc(26 * 1024 * 1024))
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ProviderError);
    expect(error).toEqual(unavailableError);
  });

  it('times out, and fails when nothing is listening', async () => {
    faults.set({ operation: 'clamd.scan', kind: 'slow', times: 1 });
    await expect(createTestClient(50).scan(Buffer.from('x'))).rejects.toEqual(unavailableError);
    // On a busy machine clamd may read the file late. Without this wait it would use up the next test's fault.
    await expect.poll(() => faults.list()).toEqual([]);
    const closedSimulator = await openClamdSimulator(faults, 0, '127.0.0.1');
    await closedSimulator.close();
    await expect(createClamdClient({ url: `tcp://127.0.0.1:${closedSimulator.port}` }).scan(Buffer.from('x'))).rejects.toEqual(
      unavailableError,
    );
  });
});
