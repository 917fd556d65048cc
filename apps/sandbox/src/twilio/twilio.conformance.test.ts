/** Tests phone verification over real HTTP. Responses are checked against Twilio's published API description if it is available. */
import { describe, expect, it } from 'vitest';
import { createTwilioVerifyClient } from '@portal/providers/twilio/twilio-client.ts';
import type { E164 } from '@portal/providers/twilio/twilio-port.ts';
import { toBasicAuthorization, validateResponse, startTwilio } from './testing/start-twilio.ts';
import { buildSourceNote, PROVIDER_DESCRIPTIONS } from '../testing/published-source.ts';

const phone = '+447911123456' as E164;
const getOtherCode = (code: string): string => (code === '111111' ? '222222' : '111111');

describe('a code by text message', () => {
  it('is sent, visible in the sandbox, and approves the number once', async () => {
    const twilio = await startTwilio();
    expect(await twilio.client.start({ phone, locale: 'en-GB' })).toEqual({ sentTo: phone });
    const code = twilio.codeSentTo(phone);
    expect(code).toMatch(/^\d{6}$/);
    expect(twilio.controls.listMessages()).toEqual([
      { id: expect.any(String), to: phone, code, text: expect.stringContaining(code), sent_at: '2026-11-18T10:00:00.000Z' },
    ]);
    expect(await twilio.client.check({ phone, code })).toBe('approved');
    expect(await twilio.client.check({ phone, code })).toBe('expired');
  });

  it('is the same code within ten minutes and a new one afterwards', async () => {
    const twilio = await startTwilio();
    await twilio.client.start({ phone });
    twilio.passMinutes(9);
    await twilio.client.start({ phone });
    const sentCodes = twilio.controls.listMessages(phone).map(({ code }) => code);
    expect(sentCodes).toHaveLength(2);
    expect(new Set(sentCodes).size).toBe(1);
    // The second message didn't extend the code's lifetime.
    twilio.passMinutes(1);
    expect(await twilio.client.check({ phone, code: sentCodes[0] ?? '' })).toBe('expired');
    const first = twilio.controls.listMessages().length;
    for (let round = 0; round < 3; round += 1, twilio.passMinutes(11)) await twilio.client.start({ phone });
    const newMessages = twilio.controls.listMessages().slice(0, -first);
    expect(new Set(newMessages.map(({ code }) => code)).size).toBeGreaterThan(1);
  });

  it('can be wrong five times; the sixth try is rejected even with the right code', async () => {
    const twilio = await startTwilio();
    await twilio.client.start({ phone });
    const code = twilio.codeSentTo(phone);
    for (let guessCode = 1; guessCode <= 5; guessCode += 1)
      expect(await twilio.client.check({ phone, code: getOtherCode(code) })).toBe('wrong_code');
    expect(await twilio.client.check({ phone, code })).toBe('too_many_attempts');
    await expect(twilio.client.start({ phone })).rejects.toMatchObject({ failure: 'throttled', facts: { code: '60202' } });
    twilio.passMinutes(10);
    await twilio.client.start({ phone });
    expect(await twilio.client.check({ phone, code: twilio.codeSentTo(phone) })).toBe('approved');
  });

  it('can still be right on the fifth try', async () => {
    const twilio = await startTwilio();
    await twilio.client.start({ phone });
    const code = twilio.codeSentTo(phone);
    for (let guessCode = 1; guessCode <= 4; guessCode += 1) await twilio.client.check({ phone, code: getOtherCode(code) });
    expect(await twilio.client.check({ phone, code })).toBe('approved');
  });

  it('is sent to a number at most five times in ten minutes', async () => {
    const twilio = await startTwilio();
    for (let sendCount = 1; sendCount <= 5; sendCount += 1) await twilio.client.start({ phone });
    await expect(twilio.client.start({ phone })).rejects.toMatchObject({ failure: 'throttled', facts: { status: 429, code: '60203' } });
    expect(twilio.controls.listMessages(phone)).toHaveLength(5);
    expect(await twilio.client.start({ phone: '+33612345678' as E164 })).toEqual({ sentTo: '+33612345678' });
    twilio.passMinutes(10);
    expect(await twilio.client.start({ phone })).toEqual({ sentTo: phone });
  });

  it('for one number does not approve another', async () => {
    const twilio = await startTwilio();
    await twilio.client.start({ phone });
    expect(await twilio.client.check({ phone: '+447911123457' as E164, code: twilio.codeSentTo(phone) })).toBe('expired');
  });
});

describe('Twilio rejects', () => {
  it('an invalid number', async () => {
    const { client } = await startTwilio();
    await expect(client.start({ phone: '07911123456' as E164 })).rejects.toMatchObject({
      failure: 'refused',
      facts: { provider: 'twilio', operation: 'start_verification', status: 400, code: '60200', requestId: expect.stringMatching(/^RQ/) },
    });
  });

  it('a code of another length', async () => {
    const { client } = await startTwilio();
    await expect(client.check({ phone, code: '123' })).rejects.toMatchObject({ failure: 'refused', facts: { code: '60200' } });
  });

  it('wrong credentials, without revealing them', async () => {
    const { settings } = await startTwilio();
    const call = createTwilioVerifyClient({ ...settings, authToken: 'my-secret-token' }).start({ phone });
    await expect(call).rejects.toMatchObject({ failure: 'unauthorized', facts: { code: '20003' } });
    await expect(call).rejects.not.toThrow('my-secret-token');
  });

  it('another service, JSON bodies, lower-case names and the plural path of the check', async () => {
    const twilio = await startTwilio();
    const wrongService = createTwilioVerifyClient({ ...twilio.settings, serviceSid: `VA${'0'.repeat(32)}` });
    await expect(wrongService.start({ phone })).rejects.toMatchObject({ failure: 'refused', facts: { code: '20404' } });
    const jsonResponse = await twilio.post('Verifications', JSON.stringify({ To: phone, Channel: 'sms' }), {
      'content-type': 'application/json',
    });
    expect([jsonResponse.status, await jsonResponse.json()]).toMatchObject([
      400,
      { code: 60200, status: 400, more_info: expect.any(String) },
    ]);
    expect((await twilio.post('Verifications', `to=${encodeURIComponent(phone)}&channel=sms`)).status).toBe(400);
    expect((await twilio.post('VerificationChecks', 'To=x&Code=1234')).status).toBe(404);
    expect((await twilio.post('Verifications', 'To=x&Channel=sms', { authorization: toBasicAuthorization('') })).status).toBe(401);
    expect(twilio.controls.listMessages()).toEqual([]);
  });
});

describe('a failed call', () => {
  it('is unknown when the response was lost after the message was sent', async () => {
    const twilio = await startTwilio();
    twilio.faults.set({ operation: 'twilio.start_verification', kind: 'timeout_after_work', times: 1 });
    await expect(twilio.client.start({ phone })).rejects.toMatchObject({ failure: 'unknown' });
    expect(twilio.controls.listMessages(phone)).toHaveLength(1);
  });

  it('has used up the code when the response to a right check was lost', async () => {
    const twilio = await startTwilio();
    await twilio.client.start({ phone });
    const code = twilio.codeSentTo(phone);
    twilio.faults.set({ operation: 'twilio.check_verification', kind: 'timeout_after_work', times: 1 });
    await expect(twilio.client.check({ phone, code })).rejects.toMatchObject({ failure: 'unknown' });
    expect(await twilio.client.check({ phone, code })).toBe('expired');
  });

  it.each([
    ['too_many', 'throttled'],
    ['server_error', 'unknown'],
    ['malformed_body', 'unknown'],
  ] as const)('%s fails as %s', async (kind, failure) => {
    const twilio = await startTwilio();
    twilio.faults.set({ operation: 'twilio.check_verification', kind, times: 1 });
    await twilio.client.start({ phone });
    await expect(twilio.client.check({ phone, code: '123456' })).rejects.toMatchObject({ failure });
  });

  it('is unavailable when nothing listens', async () => {
    const { client, close } = await startTwilio();
    await close();
    await expect(client.start({ phone })).rejects.toMatchObject({ failure: 'unavailable' });
  });
});

describe.skipIf(!validateResponse)(`Twilio’s published description ${buildSourceNote(PROVIDER_DESCRIPTIONS, validateResponse)}`, () => {
  it('covers sending and checking', async () => {
    const twilio = await startTwilio();
    await twilio.client.start({ phone });
    await twilio.client.check({ phone, code: twilio.codeSentTo(phone) });
    expect(twilio.checkedStatuses).toEqual([201, 200]);
  });

  it('rejects responses that differ from it', async () => {
    const twilio = await startTwilio();
    const sentResponse = await twilio.post('Verifications', `To=${encodeURIComponent(phone)}&Channel=sms`);
    const body = (await sentResponse.json()) as object;
    const checkStart = (startBody: unknown, status = 201) =>
      validateResponse?.({ method: 'POST', path: '/v2/Services/VA1/Verifications', status, body: startBody });
    expect(checkStart(body)).toBeUndefined();
    expect(checkStart({ ...body, sid: 'VA123' })).toMatch(/sid/);
    expect(checkStart({ ...body, channel: 'pigeon' })).toMatch(/channel/);
    expect(checkStart({ ...body, dateCreated: 'x' })).toMatch(/dateCreated/);
    expect(checkStart(body, 204)).toMatch(/not described/);
  });
});
