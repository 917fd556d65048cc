/** Starts the Twilio Verify simulator for one test, with a clock that can be moved. Every response is checked against Twilio's description. */
import { createClock } from '@portal/domain/clock.ts';
import { onTestFinished } from 'vitest';
import { openSimulatorStore } from '../../simulator/simulator-store.ts';
import { openFaults } from '../../simulator/faults.ts';
import { startSimulatorHost } from '../../simulator/host-simulators.ts';
import { findFreeAddress } from '../../testing/find-free-address.ts';
import { SANDBOX_TWILIO } from '../sandbox-credentials.ts';
import { createTwilioVerifyClient } from '@portal/providers/twilio/twilio-client.ts';
import { createTwilioSimulator } from '../twilio-simulator.ts';
import { loadTwilioValidator } from './published-description.ts';

export const validateResponse = loadTwilioValidator();

export async function startTwilio() {
  let nowMs = Date.parse('2026-11-18T10:00:00Z');
  const store = openSimulatorStore(':memory:');
  const faults = openFaults(store, { slowMs: 10, hangMs: 10 });
  const { url: origin, port } = await findFreeAddress();
  const apiUrl = `${origin}/twilio`;
  const simulator = createTwilioSimulator({ store, faults, clock: createClock(() => nowMs), publicUrl: apiUrl });
  const host = await startSimulatorHost([{ basePath: '/twilio', plugin: simulator.plugin }], port, '127.0.0.1');
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    await host.close();
    store.close();
  };
  onTestFinished(close);
  const checkedStatuses: number[] = [];
  const fetchAndValidate: typeof globalThis.fetch = async (input, init) => {
    const response = await fetch(input, init);
    const bodyCopy = await response.clone().text();
    const url = new URL(input instanceof Request ? input.url : input);
    const path = url.pathname.slice('/twilio'.length);
    if (validateResponse && bodyCopy.endsWith('}')) {
      const fault = validateResponse({ method: 'POST', path, status: response.status, body: JSON.parse(bodyCopy) });
      if (fault !== undefined) throw new Error(`${path} -> ${response.status} contradicts Twilio's API description: ${fault}`);
      checkedStatuses.push(response.status);
    }
    return response;
  };
  const settings = { apiUrl, ...SANDBOX_TWILIO, fetch: fetchAndValidate, timeoutMs: 2_000 };
  return {
    apiUrl,
    settings,
    close,
    faults,
    checkedStatuses,
    controls: simulator.controls,
    client: createTwilioVerifyClient(settings),
    passMinutes: (minutes: number) => {
      nowMs += minutes * 60_000;
    },
    codeSentTo: (to: string): string => {
      const [message] = simulator.controls.listMessages(to);
      if (!message) throw new Error(`no message was sent to ${to}`);
      return message.code;
    },
    /** Makes a call that bypasses the client, as a careless caller would. */
    post: (resource: string, body: string, headers: Record<string, string> = {}) =>
      fetch(`${apiUrl}/v2/Services/${SANDBOX_TWILIO.serviceSid}/${resource}`, {
        method: 'POST',
        headers: { authorization: toBasicAuthorization(), 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body,
      }),
  };
}

export function toBasicAuthorization(token: string = SANDBOX_TWILIO.authToken): string {
  return `Basic ${Buffer.from(`${SANDBOX_TWILIO.accountSid}:${token}`).toString('base64')}`;
}
