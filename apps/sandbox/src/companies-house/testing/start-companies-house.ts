/**
 * Starts the Companies House simulator for one test, with a clock that can be moved. Every successful response is checked against the
 * published description.
 */
import { createClock } from '@portal/domain/clock.ts';
import { onTestFinished } from 'vitest';
import { openSimulatorStore } from '../../simulator/simulator-store.ts';
import { openFaults } from '../../simulator/faults.ts';
import { startSimulatorHost } from '../../simulator/host-simulators.ts';
import { findFreeAddress } from '../../testing/find-free-address.ts';
import { createCompaniesHouseClient } from '@portal/providers/companies-house/companies-house-client.ts';
import { createCompaniesHouseSimulator } from '../companies-house-simulator.ts';
import { SANDBOX_COMPANIES_HOUSE } from '../sandbox-credentials.ts';
import { loadCompaniesHouseValidator } from './published-description.ts';

export const validateResponse = loadCompaniesHouseValidator();

export async function startCompaniesHouse(now = '2026-11-18T10:00:00Z') {
  let nowMs = Date.parse(now);
  const clock = createClock(() => nowMs);
  const store = openSimulatorStore(':memory:');
  const faults = openFaults(store, { slowMs: 10, hangMs: 10 });
  const { url: origin, port } = await findFreeAddress();
  const apiUrl = `${origin}/ch`;
  const simulator = createCompaniesHouseSimulator({ store, faults, clock, publicUrl: apiUrl });
  const host = await startSimulatorHost([{ basePath: '/ch', plugin: simulator.plugin }], port, '127.0.0.1');
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    await host.close();
    store.close();
  };
  onTestFinished(close);
  const requestedPaths: string[] = [];
  const fetchAndValidate: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    requestedPaths.push(url.pathname.slice('/ch'.length) + url.search);
    const response = await fetch(input, init);
    const bodyCopy = await response.clone().text();
    if (validateResponse && response.status === 200 && bodyCopy.endsWith('}')) {
      const contradiction = validateResponse(url.pathname.slice('/ch'.length), JSON.parse(bodyCopy));
      if (contradiction !== undefined) throw new Error(`${url.pathname} contradicts Companies House's API description: ${contradiction}`);
    }
    return response;
  };
  const settings = { apiUrl, ...SANDBOX_COMPANIES_HOUSE, fetch: fetchAndValidate, clock, timeoutMs: 2_000 };
  return {
    apiUrl,
    settings,
    faults,
    store,
    close,
    /** Paths of all calls, in order. */
    requestedPaths,
    controls: simulator.controls,
    client: createCompaniesHouseClient(settings),
    passMinutes: (minutes: number) => {
      nowMs += minutes * 60_000;
    },
    moveTo: (to: string) => {
      nowMs = Date.parse(to);
    },
    /** Makes a call that bypasses our client. */
    get: (path: string, authorization = `Basic ${Buffer.from(`${SANDBOX_COMPANIES_HOUSE.apiKey}:`).toString('base64')}`) =>
      fetchAndValidate(apiUrl + path, { headers: authorization === '' ? {} : { authorization } }),
  };
}
