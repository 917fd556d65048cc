/** Tests the identity check over real HTTP: requests, the user's page, results and failures. */
import { describe, expect, it } from 'vitest';
import { createIdentityCheckClient } from '@portal/providers/identity-check/identity-check-client.ts';
import { waitFor } from '../testing/wait-for.ts';
import { order, startIdentityCheck } from './testing/start-identity-check.ts';

describe('an identity check', () => {
  it('starts as pending, with a secret URL and seven days', async () => {
    const { client, apiUrl } = await startIdentityCheck();
    const startedCheck = await client.startCheck(order);
    expect(startedCheck).toEqual({
      checkId: expect.any(String),
      url: expect.stringContaining(`${apiUrl}/check/`),
      expiresAt: '2026-11-25T10:00:00.000Z',
    });
    expect(startedCheck.url).not.toContain(startedCheck.checkId);
    expect(await client.findCheck(startedCheck.checkId)).toEqual({
      checkId: startedCheck.checkId,
      reference: 'identity-1',
      status: 'pending',
      reasons: [],
      triesLeft: 3,
      expiresAt: '2026-11-25T10:00:00.000Z',
    });
  });

  it('is passed with valid documents, and sends the browser back without a result', async () => {
    const { client, press, passMinutes } = await startIdentityCheck();
    const { checkId, url } = await client.startCheck(order);
    passMinutes(3);
    const redirectResponse = await press(url, 'fine');
    expect([redirectResponse.status, redirectResponse.headers.get('location')]).toEqual([303, `${order.returnUrl}&check_id=${checkId}`]);
    expect(redirectResponse.headers.get('referrer-policy')).toBe('no-referrer');
    expect(await client.findCheck(checkId)).toMatchObject({
      status: 'passed',
      reasons: [],
      triesLeft: 0,
      completedAt: '2026-11-18T10:03:00.000Z',
    });
  });

  it('can be tried three times in total when the photo is blurred', async () => {
    const { client, press } = await startIdentityCheck();
    const { checkId, url } = await client.startCheck(order);
    const firstResponse = await press(url, 'blurred');
    expect([firstResponse.status, await firstResponse.text()]).toEqual([422, expect.stringContaining('You have 2 tries left.')]);
    expect(await client.findCheck(checkId)).toMatchObject({ status: 'pending', reasons: ['document_unreadable'], triesLeft: 2 });
    await press(url, 'blurred');
    expect((await press(url, 'blurred')).status).toBe(303);
    expect(await client.findCheck(checkId)).toMatchObject({ status: 'failed', reasons: ['document_unreadable'], triesLeft: 0 });
  });

  it('has no reasons when it is passed after a blurred photo', async () => {
    const { client, press } = await startIdentityCheck();
    const { checkId, url } = await client.startCheck(order);
    await press(url, 'blurred');
    await press(url, 'fine');
    expect(await client.findCheck(checkId)).toMatchObject({ status: 'passed', reasons: [] });
  });

  it('fails at once and permanently when the document shows another person', async () => {
    const { client, press } = await startIdentityCheck();
    const { checkId, url } = await client.startCheck(order);
    await press(url, 'another_person');
    await press(url, 'fine');
    expect(await client.findCheck(checkId)).toMatchObject({ status: 'failed', reasons: ['person_mismatch'] });
  });

  it('stays pending when the person leaves', async () => {
    const { client, press } = await startIdentityCheck();
    const { checkId, url } = await client.startCheck(order);
    expect((await press(url, 'not_now')).status).toBe(303);
    expect((await press(url, 'nonsense')).status).toBe(422);
    expect(await client.findCheck(checkId)).toMatchObject({ status: 'pending', triesLeft: 3 });
    const secondResponse = await fetch(url);
    expect([secondResponse.status, await secondResponse.text()]).toEqual([200, expect.stringContaining('Tessa Bright')]);
  });

  it('needs a review when the document is doubtful', async () => {
    const { client, press, running } = await startIdentityCheck();
    const { checkId, url } = await client.startCheck(order);
    expect(running.simulator.controls.settleReview(checkId, 'passed')).toBe(false);
    await press(url, 'doubtful');
    expect(await client.findCheck(checkId)).toMatchObject({ status: 'needs_review', reasons: ['document_doubtful'] });
    expect(running.simulator.controls.settleReview(checkId, 'passed')).toBe(true);
    expect(await client.findCheck(checkId)).toMatchObject({ status: 'passed', reasons: [] });
  });

  it('expires after seven days, including on its page', async () => {
    const { client, press, passMinutes } = await startIdentityCheck();
    const { checkId, url } = await client.startCheck(order);
    passMinutes(7 * 24 * 60 - 1);
    expect(await client.findCheck(checkId)).toMatchObject({ status: 'pending' });
    passMinutes(1);
    expect(await client.findCheck(checkId)).toMatchObject({ status: 'expired', completedAt: '2026-11-25T10:00:00.000Z' });
    const lateResponse = await press(url, 'fine');
    expect([lateResponse.status, await lateResponse.text()]).toEqual([410, expect.stringContaining('This check has expired')]);
    expect(await client.findCheck(checkId)).toMatchObject({ status: 'expired' });
  });

  it('is unique for each reference: repeating a request returns the same check, other details are rejected', async () => {
    const { client, running } = await startIdentityCheck();
    const startedCheck = await client.startCheck(order);
    expect(await client.startCheck(order)).toEqual(startedCheck);
    await expect(client.startCheck({ ...order, fullName: 'Owen Bright' })).rejects.toMatchObject({
      failure: 'refused',
      facts: { status: 409, code: 'reference_used' },
    });
    expect((await client.startCheck({ ...order, reference: 'identity-2' })).checkId).not.toBe(startedCheck.checkId);
    expect(running.simulator.controls.listChecks()).toHaveLength(2);
  });

  it('is undefined when it is unknown', async () => {
    const { client, apiUrl } = await startIdentityCheck();
    expect(await client.findCheck('unknown')).toBeUndefined();
    expect(await client.findCheck('../checks')).toBeUndefined();
    expect((await fetch(`${apiUrl}/check/unknown`)).status).toBe(404);
  });

  it('escapes the name', async () => {
    const { client } = await startIdentityCheck();
    const { url } = await client.startCheck({ ...order, fullName: '<img src=x onerror=alert(1)>' });
    const response = await fetch(url);
    expect(await response.text()).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it.each([
    ['reference', { reference: '' }],
    ['full_name', { fullName: ' ' }],
    ['email', { email: 'no-address' }],
    ['return_url', { returnUrl: 'javascript:alert(1)' }],
  ])('is rejected for an invalid %s', async (_field, overrides) => {
    const { client } = await startIdentityCheck();
    await expect(client.startCheck({ ...order, ...overrides })).rejects.toMatchObject({
      failure: 'refused',
      facts: { status: 400, code: 'invalid_request' },
    });
  });
});

describe('a failed call', () => {
  it('with a wrong key is unauthorized', async () => {
    const { settings } = await startIdentityCheck();
    const call = createIdentityCheckClient({ ...settings, apiKey: 'my-secret-key' }).startCheck(order);
    await expect(call).rejects.toMatchObject({ failure: 'unauthorized', facts: { provider: 'identity_check', operation: 'start_check' } });
    await expect(call).rejects.not.toThrow('my-secret-key');
  });

  it('is unknown when the response was lost; repeating it returns the check that was created', async () => {
    const { client, faults, running } = await startIdentityCheck();
    faults.set({ operation: 'identity.begin', kind: 'timeout_after_work', times: 1 });
    await expect(client.startCheck(order)).rejects.toMatchObject({ failure: 'unknown' });
    const { checkId } = await client.startCheck(order);
    expect(running.simulator.controls.listChecks()).toMatchObject([{ id: checkId }]);
  });

  it.each([
    ['too_many', 'throttled'],
    ['server_error', 'unavailable'],
    ['malformed_body', 'unavailable'],
    ['timeout_after_work', 'unavailable'],
  ] as const)('%s on a read fails as %s', async (kind, failure) => {
    const { client, faults } = await startIdentityCheck();
    const { checkId } = await client.startCheck(order);
    faults.set({ operation: 'identity.find', kind, times: 1 });
    await expect(client.findCheck(checkId)).rejects.toMatchObject({ failure });
    expect(await client.findCheck(checkId)).toMatchObject({ status: 'pending' });
  });
});

describe('the simulator’s controls', () => {
  it('show a document for the person and list the checks', async () => {
    const { client, running, received } = await startIdentityCheck();
    const { checkId } = await client.startCheck(order);
    expect(running.simulator.controls.chooseOutcome('unknown', 'fine')).toBeUndefined();
    expect(running.simulator.controls.chooseOutcome(checkId, 'fine')).toMatchObject({ status: 'passed', full_name: 'Tessa Bright' });
    await waitFor(() => received.length > 0);
    expect(await client.findCheck(checkId)).toMatchObject({ status: 'passed' });
  });
});
