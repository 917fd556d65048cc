/** Starts the HubSpot simulator for one test, with a clock that can be moved. Every API response is checked against HubSpot's description. */
import { createClock } from '@portal/domain/clock.ts';
import { onTestFinished } from 'vitest';
import { openSimulatorStore } from '../../simulator/simulator-store.ts';
import { openFaults } from '../../simulator/faults.ts';
import { startSimulatorHost } from '../../simulator/host-simulators.ts';
import { findFreeAddress } from '../../testing/find-free-address.ts';
import { createHubspotClient } from '@portal/providers/hubspot/hubspot-client.ts';
import { createHubspotSimulator } from '../hubspot-simulator.ts';
import { SANDBOX_HUBSPOT } from '../sandbox-credentials.ts';
import { loadHubspotValidator } from './published-description.ts';

export const validateResponse = loadHubspotValidator();

export async function startHubspot() {
  let nowMs = Date.parse('2026-11-18T10:00:00Z');
  const clock = createClock(() => nowMs);
  const store = openSimulatorStore(':memory:');
  const faults = openFaults(store, { slowMs: 10, hangMs: 10 });
  const { url, port } = await findFreeAddress();
  const apiUrl = `${url}/hubspot`;
  const simulator = createHubspotSimulator({ store, faults, clock, publicUrl: apiUrl });
  const host = await startSimulatorHost([{ basePath: '/hubspot', plugin: simulator.plugin }], port, '127.0.0.1');
  onTestFinished(async () => {
    await host.close();
    store.close();
  });
  const fetchAndValidate: typeof globalThis.fetch = async (input, init) => {
    const response = await fetch(input, init);
    const bodyCopy = await response.clone().text();
    const fault = bodyCopy.endsWith('}') ? validateResponse?.(response.status, JSON.parse(bodyCopy)) : undefined;
    if (fault !== undefined) throw new Error(`${response.status} contradicts HubSpot's API description: ${fault}`);
    return response;
  };
  const settings = { apiUrl, accessToken: SANDBOX_HUBSPOT.accessToken, fetch: fetchAndValidate, clock, timeoutMs: 2_000 };
  return {
    apiUrl,
    settings,
    faults,
    controls: simulator.controls,
    client: createHubspotClient(settings),
    passMinutes: (minutes: number) => {
      nowMs += minutes * 60_000;
    },
  };
}
