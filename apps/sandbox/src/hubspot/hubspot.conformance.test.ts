/** Tests chat identification over real HTTP. Responses are checked against HubSpot's published API description when it is available. */
import { describe, expect, it } from 'vitest';
import { createHubspotClient } from '@portal/providers/hubspot/hubspot-client.ts';
import { TOKEN_PATHS } from '@portal/providers/hubspot/hubspot-wire.ts';
import { SANDBOX_HUBSPOT } from './sandbox-credentials.ts';
import { validateResponse, startHubspot } from './testing/start-hubspot.ts';
import { buildSourceNote, PROVIDER_DESCRIPTIONS } from '../testing/published-source.ts';

const tessa = { email: 'tessa@brightwell.example', firstName: 'Tessa', lastName: 'Bright' };

describe('a visitor’s token', () => {
  it('identifies the visitor for twelve hours', async () => {
    const { client, controls, passMinutes } = await startHubspot();
    const { token, expiresAt } = await client.createVisitorToken(tessa);
    expect(expiresAt).toBe('2026-11-18T22:00:00.000Z');
    expect(controls.findVisitor(token)).toEqual(tessa);
    expect(controls.findVisitor(`${token}x`)).toBeUndefined();
    passMinutes(12 * 60 - 1);
    expect(controls.findVisitor(token)).toEqual(tessa);
    passMinutes(1);
    expect(controls.findVisitor(token)).toBeUndefined();
  });

  it('is different each time and needs no names', async () => {
    const { client, controls } = await startHubspot();
    const first = await client.createVisitorToken({ email: tessa.email });
    expect((await client.createVisitorToken({ email: tessa.email })).token).not.toBe(first.token);
    expect(controls.findVisitor(first.token)).toEqual({ email: tessa.email });
  });

  it.each(TOKEN_PATHS)('is created at %s', async (tokenPath) => {
    const { settings, controls } = await startHubspot();
    const { token } = await createHubspotClient({ ...settings, tokenPath }).createVisitorToken(tessa);
    expect(controls.findVisitor(token)).toEqual(tessa);
  });
});

describe('HubSpot rejects', () => {
  it('a wrong access token, without revealing it', async () => {
    const { settings } = await startHubspot();
    const call = createHubspotClient({ ...settings, accessToken: 'my-secret-token' }).createVisitorToken(tessa);
    await expect(call).rejects.toMatchObject({
      failure: 'unauthorized',
      facts: { provider: 'hubspot', status: 401, code: 'INVALID_AUTHENTICATION', requestId: expect.any(String) },
    });
    await expect(call).rejects.not.toThrow('my-secret-token');
  });

  it('every token while the plan is too small', async () => {
    const { client, controls } = await startHubspot();
    controls.setPlan('starter');
    await expect(client.createVisitorToken(tessa)).rejects.toMatchObject({ failure: 'refused', facts: { status: 403 } });
    controls.setPlan('professional');
    expect(await client.createVisitorToken(tessa)).toMatchObject({ token: expect.any(String) });
  });

  it('an invalid email address', async () => {
    const { client } = await startHubspot();
    await expect(client.createVisitorToken({ email: 'no-address' })).rejects.toMatchObject({
      failure: 'refused',
      facts: { status: 400, code: 'VALIDATION_ERROR' },
    });
  });
});

describe('a failed call', () => {
  it.each([
    ['too_many', 'throttled'],
    ['server_error', 'unavailable'],
    ['malformed_body', 'unavailable'],
    ['timeout_after_work', 'unavailable'],
  ] as const)('%s fails as %s', async (kind, failure) => {
    const { client, faults } = await startHubspot();
    faults.set({ operation: 'hubspot.create_visitor_token', kind, times: 1 });
    await expect(client.createVisitorToken(tessa)).rejects.toMatchObject({ failure });
    expect(await client.createVisitorToken(tessa)).toMatchObject({ token: expect.any(String) });
  });
});

describe('chat', () => {
  const send = async (apiUrl: string, path: string, body: object) => {
    const response = await fetch(apiUrl + path, { method: 'POST', body: JSON.stringify(body) });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    return (await response.json()) as unknown;
  };

  it('identifies a visitor only by a token for the same address', async () => {
    const { apiUrl, client } = await startHubspot();
    const { token } = await client.createVisitorToken(tessa);
    const visitor = { visitor: 'cookie', email: tessa.email, token };
    expect(await send(apiUrl, '/simulator/identify', visitor)).toEqual({ identified: true, email: tessa.email });
    const unidentified = { identified: false, email: null };
    expect(await send(apiUrl, '/simulator/identify', { ...visitor, email: 'carl@harlow.example' })).toEqual(unidentified);
    expect(await send(apiUrl, '/simulator/identify', { ...visitor, token: null })).toEqual(unidentified);
    expect(await send(apiUrl, '/simulator/identify', { ...visitor, token: 'forged' })).toEqual(unidentified);
    expect(await send(apiUrl, '/simulator/identify', {})).toMatchObject({ status: 'error' });
  });

  it('stores messages, with one conversation for each visitor', async () => {
    const { apiUrl, client, controls } = await startHubspot();
    const { token } = await client.createVisitorToken(tessa);
    const identifiedVisitor = { visitor: 'one', email: tessa.email, token };
    const first = await send(apiUrl, '/simulator/messages', { ...identifiedVisitor, text: ' Where is my refund? ' });
    expect(await send(apiUrl, '/simulator/messages', { ...identifiedVisitor, text: 'Hello?' })).toEqual(first);
    expect(await send(apiUrl, '/simulator/messages', { visitor: 'two', email: null, token: null, text: 'Hi' })).not.toEqual(first);
    expect(await send(apiUrl, '/simulator/messages', { ...identifiedVisitor, text: '  ' })).toMatchObject({ category: 'VALIDATION_ERROR' });
    expect(controls.listMessages().map(({ email, text }) => [email, text])).toEqual([
      [null, 'Hi'],
      [tessa.email, 'Hello?'],
      [tessa.email, 'Where is my refund?'],
    ]);
  });

  it('serves its loader only under the hub’s ID', async () => {
    const { apiUrl } = await startHubspot();
    const loaderResponse = await fetch(`${apiUrl}/${SANDBOX_HUBSPOT.hubId}.js`);
    expect([loaderResponse.status, loaderResponse.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect(await loaderResponse.text()).toContain(JSON.stringify(apiUrl));
    expect((await fetch(`${apiUrl}/1.js`)).status).toBe(404);
  });
});

describe.skipIf(!validateResponse)(`HubSpot’s published description ${buildSourceNote(PROVIDER_DESCRIPTIONS, validateResponse)}`, () => {
  it('rejects responses that differ from it', () => {
    expect(validateResponse?.(200, { token: 'x' })).toBeUndefined();
    expect(validateResponse?.(200, { identificationToken: 'x' })).toMatch(/token/);
    expect(validateResponse?.(401, { message: 'x', correlationId: 'y', category: 'z' })).toBeUndefined();
    expect(validateResponse?.(401, { error: 'x' })).toMatch(/category/);
  });
});
