/** Tests rewording by a language model: our client against the simulator, and against a real endpoint if one is set. */
import { systemClock } from '@portal/domain/clock.ts';
import { createLanguageModelClient } from '@portal/providers/language-model/language-model-client.ts';
import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SimulatorHost, startSimulatorHost } from '../simulator/host-simulators.ts';
import { openFaults, type Faults } from '../simulator/faults.ts';
import { openSimulatorStore } from '../simulator/simulator-store.ts';
import { findFreePort } from '../testing/find-free-port.ts';
import { createLanguageModelSimulator, type LanguageModelControls } from './language-model-simulator.ts';
import { SANDBOX_LANGUAGE_MODEL } from './sandbox-credentials.ts';

let host: SimulatorHost;
let faults: Faults;
let controls: LanguageModelControls;
let apiUrl: string;
const store = openSimulatorStore(':memory:');

beforeAll(async () => {
  const port = await findFreePort();
  const publicUrl = `http://127.0.0.1:${port}/language-model`;
  apiUrl = `${publicUrl}/v1`;
  faults = openFaults(store, { slowMs: 50, hangMs: 50 });
  const simulator = createLanguageModelSimulator({ store, clock: systemClock, faults, publicUrl });
  controls = simulator.controls;
  host = await startSimulatorHost([{ basePath: '/language-model', plugin: simulator.plugin }], port, '127.0.0.1');
});
beforeEach(() => controls.setMode('polite'));
afterAll(async () => {
  await host.close();
  store.close();
});

const createTestClient = (changes = {}) => createLanguageModelClient({ apiUrl, ...SANDBOX_LANGUAGE_MODEL, fetch, ...changes });
const REWRITE_REQUEST = { instruction: 'Reword the letter.', text: 'Hello,\n\nPlease send us the books by [[DATE_1]].', maxTokens: 200 };
const rewrite = (changes = {}) => createTestClient(changes).rewrite(REWRITE_REQUEST);

describe('rewording by a language model', () => {
  it('sends the instruction and the text as two messages, without tools or streaming, and gets a text', async () => {
    expect(await rewrite()).toEqual({
      text: 'Good morning,\n\nCould you please send us the books by [[DATE_1]].',
      model: 'sandbox-rewriter',
    });
    expect(controls.listCalls().at(-1)?.request).toEqual({
      model: 'sandbox-rewriter',
      messages: [
        { role: 'system', content: REWRITE_REQUEST.instruction },
        { role: 'user', content: REWRITE_REQUEST.text },
      ],
      stream: false,
      max_tokens: 200,
    });
  });

  it('limits the response with the parameter that newer models require', async () => {
    controls.setMode('newer');
    expect((await rewrite()).text).toContain('[[DATE_1]]');
    expect(controls.listCalls().at(-1)?.request).toMatchObject({ max_completion_tokens: 200 });
  });

  it('checks that the model exists, without sending a text', async () => {
    const before = controls.listCalls().length;
    expect(await createTestClient().hasModel()).toBe(true);
    expect(await createTestClient({ model: 'another' }).hasModel()).toBe(false);
    expect(controls.listCalls()).toHaveLength(before);
  });

  it.each([
    ['refusing', 'refused'],
    ['cut_off', 'refused'],
    ['calling_tools', 'unavailable'],
  ] as const)('accepts no text from a model that is %s', async (mode, failure) => {
    controls.setMode(mode);
    await expect(rewrite()).rejects.toMatchObject({ failure });
  });

  it.each([
    ['server_error', 'unavailable'],
    ['too_many', 'throttled'],
    ['cut_before_work', 'unavailable'],
    ['cut_off', 'unavailable'],
    ['html_page', 'unavailable'],
    ['malformed_body', 'unavailable'],
    ['wrong_types', 'unavailable'],
    ['missing_fields', 'unavailable'],
  ] as const)('reports %s as %s, once', async (kind, failure) => {
    faults.set({ operation: 'language_model.chat', kind, times: 1 });
    await expect(rewrite()).rejects.toMatchObject({ failure });
    expect((await rewrite()).text).toContain('[[DATE_1]]');
  });

  it('reports how long to wait, and a wrong key or model', async () => {
    faults.set({ operation: 'language_model.chat', kind: 'too_many_later', times: 1 });
    await expect(rewrite()).rejects.toMatchObject({ failure: 'throttled', facts: { retryAfterSeconds: 3 } });
    await expect(rewrite({ apiKey: 'wrong' })).rejects.toMatchObject({ failure: 'unauthorized' });
    await expect(rewrite({ model: 'another' })).rejects.toMatchObject({ failure: 'refused', facts: { code: 'model_not_found' } });
  });

  it('stops reading a response that never ends, and follows no redirect', async () => {
    const server = createServer((request, response) => {
      if (request.url?.startsWith('/endless') === true) {
        const chunk = 'x'.repeat(65_536);
        const write = (): void => {
          while (!response.destroyed && response.write(chunk));
          if (!response.destroyed) response.once('drain', write);
        };
        write();
        return;
      }
      response.writeHead(307, { location: `${apiUrl}/chat/completions` }).end();
    });
    const port = await findFreePort();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    try {
      await expect(rewrite({ apiUrl: `http://127.0.0.1:${port}/endless` })).rejects.toMatchObject({ failure: 'unavailable' });
      await expect(rewrite({ apiUrl: `http://127.0.0.1:${port}/elsewhere` })).rejects.toMatchObject({ failure: 'unavailable' });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  const testApiUrl = process.env['LANGUAGE_MODEL_TEST_URL'];
  it.skipIf(testApiUrl === undefined)('works at a real endpoint', async () => {
    const { LANGUAGE_MODEL_TEST_KEY: apiKey = '', LANGUAGE_MODEL_TEST_NAME: model = '' } = process.env;
    const endpoint = createTestClient({ apiUrl: testApiUrl, apiKey, model });
    expect(await endpoint.hasModel()).toBe(true);
    expect((await endpoint.rewrite(REWRITE_REQUEST)).text).not.toBe('');
  });
});
