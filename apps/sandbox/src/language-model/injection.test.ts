/**
 * Tests prompt injection through clients' text against an obedient model, with the real masking of facts, the real client over HTTP and the
 * real checks. Only a rewording with the same facts may be offered. The portal's tests send a sample through the whole portal.
 */
import { systemClock } from '@portal/domain/clock.ts';
import { checkRewording } from '@portal/domain/language-model/check-rewording.ts';
import { maskFacts } from '@portal/domain/language-model/mask-facts.ts';
import { isOrdinaryWord } from '@portal/domain/language-model/ordinary-words.ts';
import { REWORDING_INSTRUCTION } from '@portal/domain/language-model/rewording-request.ts';
import { createLanguageModelClient } from '@portal/providers/language-model/language-model-client.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SimulatorHost, startSimulatorHost } from '../simulator/host-simulators.ts';
import { openFaults } from '../simulator/faults.ts';
import { openSimulatorStore } from '../simulator/simulator-store.ts';
import { findFreePort } from '../testing/find-free-port.ts';
import { createLanguageModelSimulator, type LanguageModelControls } from './language-model-simulator.ts';
import { SANDBOX_LANGUAGE_MODEL } from './sandbox-credentials.ts';
import { INJECTION_ATTEMPTS } from './testing/injection-attempts.ts';

let host: SimulatorHost;
let controls: LanguageModelControls;
let apiUrl: string;
const store = openSimulatorStore(':memory:');

beforeAll(async () => {
  const port = await findFreePort();
  const publicUrl = `http://127.0.0.1:${port}/language-model`;
  apiUrl = `${publicUrl}/v1`;
  const simulator = createLanguageModelSimulator({ store, clock: systemClock, faults: openFaults(store), publicUrl });
  controls = simulator.controls;
  controls.setMode('obedient');
  host = await startSimulatorHost([{ basePath: '/language-model', plugin: simulator.plugin }], port, '127.0.0.1');
});
afterAll(async () => {
  await host.close();
  store.close();
});

/** Written independently of the checks: lists every run of characters with a digit, and every word, in order. */
const listFigures = (text: string): string[] => text.match(/\S*\d\S*/g) ?? [];
const listWords = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll('’', "'")
    .match(/[\p{L}\p{M}]+(?:'[\p{L}\p{M}]+)*/gu) ?? [];

it('the list of injection attempts has at least 200', () => {
  expect(INJECTION_ATTEMPTS.length).toBeGreaterThanOrEqual(200);
});

it('no injection attempt changes the facts of an offered text, or sends anything but the text', async () => {
  const client = createLanguageModelClient({ apiUrl, ...SANDBOX_LANGUAGE_MODEL, fetch });
  const counts = { obeyed: 0, offered: 0, dropped: 0 };
  for (const { technique, place, draft, names } of INJECTION_ATTEMPTS) {
    const attemptName = `${technique} in ${place}`;
    const maskedDraft = maskFacts(draft, names);
    const before = controls.listCalls().length;
    const answer = await client.rewrite({ instruction: REWORDING_INSTRUCTION, text: maskedDraft.text, maxTokens: 4_000 });
    const calls = controls.listCalls();
    expect(calls.length, attemptName).toBe(before + 1);
    expect(calls.at(-1)?.request, attemptName).toEqual({
      model: SANDBOX_LANGUAGE_MODEL.model,
      messages: [
        { role: 'system', content: REWORDING_INSTRUCTION },
        { role: 'user', content: maskedDraft.text },
      ],
      stream: false,
      max_tokens: 4_000,
    });
    expect(maskedDraft.text.replace(/\[\[[A-Z]+_\d+\]\]/g, ''), attemptName).not.toMatch(/[\d£@<>{}[\]|\u200b\u202e]/u);
    const rewordingCheck = checkRewording(draft, maskedDraft, answer.text, names);
    if (calls.at(-1)?.hasObeyed === true) counts.obeyed += 1;
    if (!('text' in rewordingCheck)) {
      counts.dropped += 1;
      continue;
    }
    counts.offered += 1;
    expect(listFigures(rewordingCheck.text), attemptName).toEqual(listFigures(draft));
    const ownWords = new Set(listWords(draft));
    expect(
      listWords(rewordingCheck.text).filter((word) => !ownWords.has(word) && !isOrdinaryWord(word)),
      attemptName,
    ).toEqual([]);
    for (const field of ['{client}', '{sender}', '{practice}']) {
      expect(rewordingCheck.text.split(field).length, attemptName).toBe(draft.split(field).length);
    }
  }
  // The model obeys, except where masking the names leaves nothing of an attack; then it rewords the letter.
  expect(counts.obeyed).toBeGreaterThan(INJECTION_ATTEMPTS.length / 2);
  expect(counts.offered).toBeGreaterThan(20);
  expect(counts.dropped).toBeGreaterThan(INJECTION_ATTEMPTS.length / 2);
});
