/** Tests the sandbox process as the portal and scripts use it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import { findFreePort, findFreeSmtpPort } from './testing/find-free-port.ts';
import { BRIGHTWELL } from './seed/seed-data.ts';
import { ensureSigningKey, SANDBOX_TRUELAYER } from './truelayer/sandbox-credentials.ts';
import { createTrueLayerClient } from '@portal/providers/truelayer/truelayer-client.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const entry = fileURLToPath(new URL('main.ts', import.meta.url));
let dir: string;
let port: number;
let smtpPort: number;
let url: string;
let processes: ChildProcess[];

async function openWorkspace(): Promise<void> {
  dir = mkdtempSync(join(tmpdir(), 'sandbox-'));
  [port, smtpPort] = [await findFreePort(), await findFreeSmtpPort()];
  url = `http://localhost:${port}`;
  processes = [];
}

async function cleanUp(): Promise<void> {
  for (const child of processes) await kill(child);
  rmSync(dir, { recursive: true });
}

function spawnSandbox(environment: Record<string, string> = {}, withChannel = false): ChildProcess {
  const child = spawn(process.execPath, [entry], {
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      SANDBOX_PORT: String(port),
      SANDBOX_SMTP_PORT: String(smtpPort),
      SANDBOX_DATA_DIR: dir,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe', withChannel ? 'ipc' : 'ignore'],
  });
  processes.push(child);
  return child;
}

async function startSandbox(environment: Record<string, string> = {}, withChannel = false): Promise<ChildProcess> {
  const child = spawnSandbox(environment, withChannel);
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await pause(30)) {
    const healthResponse = await fetch(`${url}/healthz`).catch(() => undefined);
    if (healthResponse?.ok && (await healthResponse.json())) return child;
  }
  throw new Error('the sandbox did not start');
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Starts a sandbox that is expected to fail, and returns its exit code and error output. */
async function expectFailedStart(environment: Record<string, string>): Promise<{ code: unknown; errorOutput: string }> {
  const child = spawnSandbox(environment);
  let errorOutput = '';
  child.stderr?.on('data', (chunk: Buffer) => (errorOutput += chunk.toString()));
  const [code] = await once(child, 'close');
  return { code, errorOutput };
}

async function getJson(path: string): Promise<Record<string, unknown>> {
  return (await (await fetch(`${url}${path}`)).json()) as Record<string, unknown>;
}

function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    redirect: 'manual',
  });
}

function createClient() {
  const { kid, privateKeyPem } = ensureSigningKey(dir);
  const urls = { authUrl: `${url}/truelayer`, apiUrl: `${url}/truelayer` };
  return createTrueLayerClient({
    ...urls,
    ...SANDBOX_TRUELAYER,
    signing: { kid, privateKeyPem },
    webhookJwksUrls: [],
    fetch: globalThis.fetch,
    clock: systemClock,
  });
}

const order = {
  idempotencyKey: 'key-1',
  amountPence: pence(1_234_055),
  beneficiary: { name: BRIGHTWELL.organisationName, ...BRIGHTWELL.bankAccount },
  reference: 'IVAT 26Q3',
};

/** Sends a message over plain SMTP, line by line. Returns the server's last reply. */
async function sendEmail(to: string, content: string): Promise<string> {
  const socket = connect(smtpPort, '127.0.0.1');
  let serverReply = '';
  socket.on('data', (chunk) => (serverReply = chunk.toString()));
  const exchange = async (line?: string): Promise<void> => {
    serverReply = '';
    if (line !== undefined) socket.write(`${line}\r\n`);
    while (serverReply === '') await pause(2);
  };
  await exchange();
  await exchange('EHLO test');
  await exchange('MAIL FROM:<hello@portal.example>');
  await exchange(`RCPT TO:<${to}>`);
  await exchange('DATA');
  await exchange(`${content.replaceAll('\n', '\r\n')}\r\n.`);
  socket.destroy();
  return serverReply;
}

const SAMPLE_EMAIL = `From: InstantVAT <hello@portal.example>
To: tessa@brightwell.example
Subject: Sign in
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary=b

--b
Content-Type: text/plain; charset=utf-8

Sign in: http://localhost:3000/portal/link?token=abc&next=%2F.
--b
Content-Type: text/html; charset=utf-8

<a href="http://localhost:3000/portal/link?token=abc&amp;next=%2F">Sign in</a><script>document.title = 'owned'</script>
--b--`;

describe('the sandbox process', () => {
  beforeEach(openWorkspace);
  afterEach(cleanUp);

  it('keeps payouts, emails, test organisations and the clock after a SIGKILL', async () => {
    const first = await startSandbox();
    await post('/control/clock', { now: '2027-06-07' });
    const { payoutId } = await createClient().createPayout(order);
    await sendEmail('tessa@brightwell.example', SAMPLE_EMAIL);
    await kill(first);
    await startSandbox();
    expect((await getJson('/control/clock'))['now']).toMatch(/^2027-06-07T08:0/);
    expect(await getJson('/control/bank/payouts')).toMatchObject({ payouts: [{ id: payoutId }] });
    expect((await getJson('/mailbox.json'))['messages']).toHaveLength(1);
    expect(await getJson('/control/hmrc/organisations')).toMatchObject({
      organisations: [{ user_id: BRIGHTWELL.hmrcUserId, vrn: BRIGHTWELL.vrn }],
    });
    expect(await createClient().createPayout(order)).toEqual({ payoutId });
  });

  it('ignores signals when started by the portal, and exits when its channel closes', async () => {
    const child = await startSandbox({}, true);
    child.kill('SIGTERM');
    child.kill('SIGINT');
    await pause(200);
    expect(child.exitCode).toBeNull();
    child.disconnect();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('gives a portal working provider settings, which stay the same after a restart', async () => {
    const first = await startSandbox();
    const settings = await getJson('/control/settings');
    expect(settings).toMatchObject({ HMRC_API_URL: `${url}/hmrc`, SMTP_URL: `smtp://localhost:${smtpPort}` });
    const signing = { kid: String(settings['TRUELAYER_SIGNING_KID']), privateKeyPem: String(settings['TRUELAYER_SIGNING_PRIVATE_KEY']) };
    const bank = createTrueLayerClient({
      authUrl: String(settings['TRUELAYER_AUTH_URL']),
      apiUrl: String(settings['TRUELAYER_API_URL']),
      clientId: String(settings['TRUELAYER_CLIENT_ID']),
      clientSecret: String(settings['TRUELAYER_CLIENT_SECRET']),
      merchantAccountId: String(settings['TRUELAYER_MERCHANT_ACCOUNT_ID']),
      signing,
      webhookJwksUrls: [],
      fetch: globalThis.fetch,
      clock: systemClock,
    });
    const { payoutId } = await bank.createPayout(order);
    expect(await getJson('/control/bank/payouts')).toMatchObject({ payouts: [{ id: payoutId }] });
    await kill(first);
    await startSandbox();
    expect(await getJson('/control/settings')).toEqual(settings);
  });

  it('gives a portal its seed data, with books up to the sandbox’s day', async () => {
    await startSandbox();
    await post('/control/clock', { now: '2027-06-07' });
    const { people, trader } = await getJson('/control/seed');
    expect(people).toContainEqual(expect.objectContaining({ email: BRIGHTWELL.ownerEmail, full_name: BRIGHTWELL.ownerName }));
    expect(trader).toMatchObject({ hmrc_user_id: BRIGHTWELL.hmrcUserId, books_csv: expect.stringContaining('2027-06-07,') as string });
  });

  it('exits on SIGTERM when run alone', async () => {
    const child = await startSandbox();
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('reports which port is in use', async () => {
    await startSandbox();
    const { code, errorOutput } = await expectFailedStart({ SANDBOX_DATA_DIR: join(dir, 'other') });
    expect(code).toBe(1);
    expect(errorOutput).toContain(`Port ${port} is already in use`);
    expect(errorOutput).toContain('SANDBOX_PORT');
  });

  it('reports that another sandbox uses the data folder', async () => {
    await startSandbox();
    expect((await expectFailedStart({ SANDBOX_PORT: String(await findFreePort()) })).errorOutput).toContain('Another sandbox is using');
  });

  it.each([
    ['HOST', '0.0.0.0'],
    ['SANDBOX_PORT', 'abc'],
    ['SANDBOX_SMTP_PORT', '70000'],
    ['PORTAL_URL', 'localhost'],
  ])('rejects %s=%s and names the variable', async (name, value) => {
    const { code, errorOutput } = await expectFailedStart({ [name]: value });
    expect(code).toBe(1);
    expect(errorOutput).toContain(`${name} is ${value}`);
  });
});

describe('a running sandbox after a reset', () => {
  beforeAll(async () => {
    await openWorkspace();
    await startSandbox();
  });
  beforeEach(async () => {
    const response = await post('/control/reset', {});
    if (!response.ok) throw new Error(`the reset returned ${response.status}`);
  });
  afterAll(cleanUp);

  describe('the control pages', () => {
    it('move the clock to an instant, to a date in London, and by days', async () => {
      await post('/control/clock', { now: '2027-01-31' });
      expect((await getJson('/control/clock'))['now']).toMatch(/^2027-01-31T09:00/);
      await post('/control/clock', { advance_days: 10 });
      expect((await getJson('/control/clock'))['now']).toMatch(/^2027-02-10T09:00/);
      await post('/control/clock', { now: '2027-07-01T12:30:00+01:00' });
      expect((await getJson('/control/clock'))['now']).toMatch(/^2027-07-01T11:30/);
      expect((await post('/control/clock', { now: 'tomorrow' })).status).toBe(400);
    });

    it('add faults by operation name and remove them', async () => {
      const fault = { operation: 'truelayer.create_payout', kind: 'server_error', times: 1 };
      await post('/control/faults', fault);
      expect(await getJson('/control/faults')).toEqual({ faults: [fault] });
      await expect(createClient().createPayout(order)).rejects.toMatchObject({ failure: 'unknown' });
      await post('/control/faults', fault);
      await fetch(`${url}/control/faults`, { method: 'DELETE' });
      await createClient().createPayout(order);
      expect(await (await post('/control/faults', { ...fault, operation: 'x.y' })).json()).toMatchObject({ error: { field: 'operation' } });
    });

    it('return JSON to a script, and a redirect to its page for a form', async () => {
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      const response = await fetch(`${url}/control/bank/balance`, {
        method: 'POST',
        headers: form,
        body: 'balance=1%2C234.50',
        redirect: 'manual',
      });
      expect(response.status).toBe(303);
      expect(response.headers.get('location')).toMatch(/^\/control\/bank\?done=/);
      expect(await getJson('/control/bank/accounts')).toMatchObject({ paying: { balance_pence: 123_450 } });
      expect((await post('/control/bank/balance', { balance_pence: 5 })).status).toBe(200);
    });

    it('reject requests from web pages of another origin', async () => {
      expect((await post('/control/reset', {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
      expect((await post('/control/reset', {}, { origin: 'https://elsewhere.example' })).status).toBe(403);
      expect((await post('/control/reset', {}, { origin: url })).status).toBe(200);
    });

    it('delete all data and load the seed data again, without moving the clock', async () => {
      await post('/control/clock', { now: '2027-06-07' });
      await createClient().createPayout(order);
      await sendEmail('tessa@brightwell.example', SAMPLE_EMAIL);
      await post('/control/reset', {});
      expect(await getJson('/control/bank/payouts')).toEqual({ payouts: [] });
      expect(await getJson('/mailbox.json')).toEqual({ messages: [] });
      expect(await getJson('/control/hmrc/organisations')).toMatchObject({ organisations: [{ vrn: BRIGHTWELL.vrn }] });
      expect((await getJson('/control/clock'))['now']).toMatch(/^2027-06-07/);
    });

    it('create an organisation that is on HMRC’s page and at Companies House, for someone who signs up', async () => {
      const { organisation_name: name } = (await (await post('/control/hmrc/organisations', {})).json()) as { organisation_name: string };
      const { organisations } = (await getJson('/control/hmrc/organisations')) as { organisations: Record<string, string>[] };
      const created = organisations.at(-1);
      expect(created).toMatchObject({ organisation_name: name, user_id: expect.stringMatching(/^\d{12}$/) });
      const hmrcPage = await (await fetch(`${url}/control/hmrc`, { headers: { accept: 'text/html' } })).text();
      expect(hmrcPage).toContain(`<dd>${created?.['company_number']}</dd>`);
      const companies = await (await fetch(`${url}/control/companies-house`, { headers: { accept: 'text/html' } })).text();
      expect(companies).toContain(created?.['company_number']);
    });

    it('return the HMRC simulator’s error when the requested change isn’t possible', async () => {
      const response = await post('/control/hmrc/situation', { vrn: '000000000', situation: 'query' });
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ error: { field: 'hmrc.no_trader' } });
    });

    it('serve pages that say they don’t belong to a provider', async () => {
      for (const path of ['/', '/mailbox', '/control/bank', '/control/hmrc', '/control/clock', '/control/faults']) {
        const response = await fetch(`${url}${path}`, { headers: { accept: 'text/html' } });
        expect([path, response.status]).toEqual([path, 200]);
        expect(await response.text()).toContain('this isn’t HMRC or a real bank');
      }
    });
  });

  describe('the mailbox', () => {
    it('lists messages newest first with their links, filtered by recipient', async () => {
      await sendEmail('tessa@brightwell.example', SAMPLE_EMAIL);
      await sendEmail('olga@operator.example', 'Subject: Review\n\nAn advance waits.');
      expect(await getJson('/mailbox.json')).toMatchObject({
        messages: [{ to: 'olga@operator.example', html: null }, { to: 'tessa@brightwell.example' }],
      });
      expect(await getJson('/mailbox.json?to=TESSA@brightwell.example')).toMatchObject({
        messages: [
          {
            subject: 'Sign in',
            from: 'InstantVAT <hello@portal.example>',
            links: ['http://localhost:3000/portal/link?token=abc&next=%2F'],
          },
        ],
      });
    });

    it('shows HTML without running it', async () => {
      await sendEmail('tessa@brightwell.example', SAMPLE_EMAIL);
      const { messages } = (await getJson('/mailbox.json')) as { messages: { id: string }[] };
      const response = await fetch(`${url}/mailbox/${messages[0]?.id}`);
      const text = await response.text();
      expect(text).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"');
      expect(text).not.toContain('<script>');
      expect(text).toContain('srcdoc="&lt;meta http-equiv=&quot;Content-Security-Policy&quot; content=&quot;default-src ');
      expect(text).toContain('<summary>Plain text</summary>');
      expect(text).toContain('<a href="http://localhost:3000/portal/link?token=abc&amp;next=%2F"');
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    });

    it('rejects mail while a fault is set, and keeps every message it accepted', async () => {
      await post('/control/faults', { operation: 'mail.send', kind: 'server_error', times: 1 });
      expect(await sendEmail('tessa@brightwell.example', SAMPLE_EMAIL)).toMatch(/^451/);
      expect(await getJson('/mailbox.json')).toEqual({ messages: [] });
      expect(await sendEmail('tessa@brightwell.example', SAMPLE_EMAIL)).toMatch(/^250/);
      expect((await getJson('/mailbox.json'))['messages']).toHaveLength(1);
    });
  });
});
