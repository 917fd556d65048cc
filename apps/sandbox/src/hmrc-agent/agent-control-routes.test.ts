/** Tests the control pages for agents and their clients, both when called by a script and when opened in a browser. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@portal/domain/clock.ts';
import { findFreePort, findFreeSmtpPort } from '../testing/find-free-port.ts';
import { expect, it, onTestFinished } from 'vitest';
import { buildSandbox } from '../build-sandbox.ts';

async function start(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-agents-'));
  const [port, smtpPort] = [await findFreePort(), await findFreeSmtpPort()];
  const sandbox = await buildSandbox({ dataDir, port, smtpPort, portalUrl: 'http://localhost:46999', host: '127.0.0.1' });
  onTestFinished(async () => {
    await sandbox.close();
    rmSync(dataDir, { recursive: true });
  });
  return `http://127.0.0.1:${port}`;
}

it("loads a portfolio by client count and seed, serves its files, and records the clients' answers", async () => {
  const url = await start();
  const toUrl = (path: string) => `${url}/control/hmrc-agents${path}`;
  const post = (path: string, body: object) => fetch(toUrl(path), { method: 'POST', body: JSON.stringify(body) });
  expect((await fetch(toUrl('/portfolio/clients.csv'))).status).toBe(404);
  expect((await post('/portfolio', { clients: 100_001 })).status).toBe(400);
  expect((await post('/portfolio', { clients: 10, today: '21/11/2026' })).status).toBe(400);
  // Authorisation requests of an earlier day would have expired.
  const today = systemClock.today();
  expect(await (await post('/portfolio', { clients: 120, seed: 3, today })).json()).toMatchObject({ clients: 120, seed: 3, today });
  const fileResponse = await fetch(toUrl('/portfolio/clients.csv'));
  expect([fileResponse.headers.get('content-type'), (await fileResponse.text()).split('\r\n').length]).toEqual([
    'text/csv; charset=utf-8',
    124,
  ]);
  expect((await (await fetch(toUrl('/portfolio/paye-statement.csv'))).text()).startsWith('reference,client,entry')).toBe(true);

  const listRequests = async () =>
    (
      (await (await fetch(toUrl('/invitations'))).json()) as {
        invitations: { invitation_id: string; status: string; service: string; client_id: string }[];
      }
    ).invitations;
  const pendingRequest = (await listRequests()).find(({ status }) => status === 'Pending');
  const decisionInput = { invitation_id: pendingRequest?.invitation_id, answer: 'accept' };
  expect((await post('/invitations/answer', decisionInput)).status).toBe(200);
  expect((await post('/invitations/answer', decisionInput)).status).toBe(409);
  expect((await listRequests()).find(({ invitation_id }) => invitation_id === pendingRequest?.invitation_id)?.status).toBe('Accepted');
  const revoke = { service: pendingRequest?.service, client_id: pendingRequest?.client_id };
  expect(await (await post('/revoke', revoke)).json()).toEqual({ revoked: true });
  expect(await (await post('/revoke', revoke)).json()).toEqual({ revoked: false });
  expect(await (await post('/rate', { requests_per_second: 500 })).json()).toEqual({ requests_per_second: 500 });
  expect(await (await post('/rate', {})).json()).toEqual({ requests_per_second: null });
  const page = await (await fetch(toUrl(''), { headers: { accept: 'text/html' } })).text();
  expect(page).toContain(`It has 120 clients (seed 3, as of ${today}).`);
});
