/** Tests the portal as a real process: started, queried, killed and stopped. On PostgreSQL two instances start at the same time. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestPostgresDatabase, getTestServerUrl } from '@portal/db/testing/test-postgres.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createPortalDatabase } from '../testing/create-portal-database.ts';
import { findFreePorts, startPortalProcess, type PortalPorts, type PortalProcess } from '../testing/start-portal-process.ts';

let root: string;
let seededFolder: string;
let dropDatabase: (() => Promise<void>) | undefined;
let databaseEnvironment: Record<string, string> = {};
let startedProcesses: PortalProcess[] = [];

function start(dataDir: string, ports: PortalPorts, environment: Record<string, string> = {}): PortalProcess {
  const portal = startPortalProcess(dataDir, ports, { ...databaseEnvironment, ...environment });
  startedProcesses.push(portal);
  return portal;
}

/** Copies the folder of a single first start, so that tests don't need one each. */
function createSeededFolder(): string {
  const folder = mkdtempSync(join(root, 'data-'));
  cpSync(seededFolder, folder, { recursive: true });
  return folder;
}

async function stop(portal: PortalProcess): Promise<{ exitCode: number | null }> {
  portal.process.kill('SIGTERM');
  const { exitCode } = await portal.ended;
  return { exitCode };
}

async function measureMs(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function fetchReadiness(portal: PortalProcess): Promise<{ status: number; parts: Record<string, boolean> }> {
  const response = await fetch(`${portal.url}/portal/readyz`);
  const { parts } = (await response.json()) as { parts: Record<string, boolean> };
  return { status: response.status, parts };
}

/** Returns false if the port has no listener, too. */
const isReady = (portal: PortalProcess): Promise<boolean> =>
  fetchReadiness(portal).then(
    ({ status }) => status === 200,
    () => false,
  );

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'portal-process-'));
  seededFolder = join(root, 'seeded');
  if (getTestServerUrl()) {
    const { url, drop } = await createPortalDatabase();
    dropDatabase = drop;
    databaseEnvironment = { DATABASE_URL: url };
  }
  const first = start(seededFolder, await findFreePorts());
  await first.waitUntilReady();
  await stop(first);
});
afterEach(async () => {
  for (const { process } of startedProcesses) process.kill('SIGKILL');
  await Promise.all(startedProcesses.map(({ ended }) => ended));
  startedProcesses = [];
});
afterAll(async () => {
  await dropDatabase?.();
  rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
});

describe('the portal process', () => {
  it('prints one line when ready, reports each part in readyz, and stops cleanly after two signals', async () => {
    const ports = await findFreePorts();
    const portal = start(createSeededFolder(), ports);
    const startMs = await measureMs(() => portal.waitUntilReady());
    expect(portal.stdout()).toBe(`ready http://localhost:${ports.port}/portal\n`);
    expect(await fetchReadiness(portal)).toEqual({ status: 200, parts: { database: true, jobs: true, sandbox: true, serving: true } });
    setTimeout(() => portal.process.kill('SIGTERM'), 20);
    setTimeout(() => portal.process.kill('SIGINT'), 40);
    const stopMs = await measureMs(async () => expect(await stop(portal)).toEqual({ exitCode: 0 }));
    // A keep-alive connection would delay stopping by 72 seconds. The start time measures how fast the machine is at the moment.
    expect(stopMs).toBeLessThan(5_000 + 5 * startMs);
    await expect(fetch(`http://localhost:${ports.sandboxPort}/healthz`)).rejects.toThrow('fetch failed');
  });

  it('completes an active request during shutdown', async () => {
    const portal = start(createSeededFolder(), await findFreePorts());
    await portal.waitUntilReady();
    // The body is incomplete, so the server is processing the request and has sent “100 Continue”.
    const headers = { 'content-type': 'application/json', expect: '100-continue' };
    const sending = request(`${portal.url}/portal/v2/login`, { method: 'POST', headers });
    const responseReceived = once(sending, 'response');
    sending.write('{"email":');
    await once(sending, 'continue');
    const stopPromise = stop(portal);
    await vi.waitFor(async () => expect(await isReady(portal)).toBe(false), { interval: 10, timeout: 60_000 });
    sending.end('"no-address"}');
    const [{ statusCode }] = (await responseReceived) as [IncomingMessage];
    expect(statusCode).toBeGreaterThanOrEqual(400);
    expect(await stopPromise).toMatchObject({ exitCode: 0 });
  });

  it('leaves no simulators behind when killed, and can restart at once', async () => {
    const folder = createSeededFolder();
    const ports = await findFreePorts();
    const portal = start(folder, ports);
    await portal.waitUntilReady();
    portal.process.kill('SIGKILL');
    await portal.ended;
    const restartedPortal = start(folder, ports);
    await restartedPortal.waitUntilReady();
    await vi.waitFor(async () => expect((await fetchReadiness(restartedPortal)).status).toBe(200), { timeout: 60_000 });
  });

  it('refuses to start with sandbox accounts beside another provider', async () => {
    const portal = start(createSeededFolder(), await findFreePorts(), {
      HMRC_API_URL: 'http://localhost:9/hmrc',
      HMRC_WWW_URL: 'http://localhost:9/hmrc-www',
      HMRC_CLIENT_ID: 'id',
      HMRC_CLIENT_SECRET: 'hush',
      TOKEN_ENCRYPTION_KEYS: Buffer.alloc(32, 7).toString('base64'),
    });
    expect(await portal.ended).toMatchObject({ exitCode: 1 });
    expect(portal.stderr()).toMatch(/contains sandbox accounts/);
  });

  if (getTestServerUrl()) {
    it('refuses a database that lacks migrations or the job queue, with the command to run', async () => {
      const { url, drop } = await createTestPostgresDatabase('empty');
      const portal = start(createSeededFolder(), await findFreePorts(), { DATABASE_URL: url });
      expect(await portal.ended).toMatchObject({ exitCode: 1 });
      expect(portal.stderr()).toMatch(/is missing \d+ of this version’s migrations\. Run `npm run migrate`/);
      await drop();
      const withoutJobs = await createTestPostgresDatabase('migrated');
      const second = start(createSeededFolder(), await findFreePorts(), { DATABASE_URL: withoutJobs.url });
      expect(await second.ended).toMatchObject({ exitCode: 1 });
      expect(second.stderr()).toMatch(/job queue’s tables don’t match this version.*Run `npm run migrate`/);
      expect(portal.stderr() + second.stderr()).not.toMatch(/\n\s+at /);
      await withoutJobs.drop();
    });

    it('supports several instances that start at once on one database', async () => {
      const { url, drop } = await createPortalDatabase();
      const folder = mkdtempSync(join(root, 'data-'));
      const first = await findFreePorts();
      const ports = [first, { ...(await findFreePorts()), sandboxPort: first.sandboxPort, smtpPort: first.smtpPort }];
      // As behind a load balancer, all instances share one public URL, which is the one HMRC knows.
      const sharedSettings = { DATABASE_URL: url, PUBLIC_URL: `http://localhost:${first.port}` };
      const portals = ports.map((instancePorts) => start(folder, instancePorts, sharedSettings));
      await Promise.all(portals.map((portal) => portal.waitUntilReady()));
      for (const portal of portals) expect((await fetchReadiness(portal)).status).toBe(200);
      expect(await Promise.all(portals.map(stop))).toMatchObject([{ exitCode: 0 }, { exitCode: 0 }]);
      await drop();
    });
  } else {
    // These tests do not depend on the database, so one run is enough.
    it('says that it isn’t ready, and continues to serve, until the stop delay is over', async () => {
      const portal = start(createSeededFolder(), await findFreePorts(), { STOP_DELAY_SECONDS: '300' });
      await portal.waitUntilReady();
      portal.process.kill('SIGTERM');
      await vi.waitFor(
        async () => expect(await fetchReadiness(portal)).toMatchObject({ status: 503, parts: { serving: false, jobs: true } }),
        {
          timeout: 60_000,
        },
      );
      expect((await fetch(`${portal.url}/portal/login`, { headers: { accept: 'text/html' } })).status).toBe(200);
    });

    it('restarts the simulators when they die, and is not ready in the meantime', async () => {
      const ports = await findFreePorts();
      const portal = start(createSeededFolder(), ports);
      await portal.waitUntilReady();
      const sandboxPid = Number(execFileSync('pgrep', ['-P', String(portal.process.pid)]).toString());
      process.kill(sandboxPid, 'SIGKILL');
      await vi.waitFor(async () => expect((await fetchReadiness(portal)).parts).toMatchObject({ sandbox: false, database: true }), {
        interval: 10,
        timeout: 10_000,
      });
      await vi.waitFor(async () => expect((await fetchReadiness(portal)).status).toBe(200), { timeout: 60_000 });
    });

    it('reports invalid settings by name, without a stack trace', async () => {
      const portal = start(createSeededFolder(), await findFreePorts(), { LOG_LEVEL: 'loud', HMRC_API_URL: 'nowhere' });
      expect(await portal.ended).toMatchObject({ exitCode: 1 });
      expect(portal.stderr()).toMatch(/LOG_LEVEL is “loud”.*\n.*HMRC_API_URL is “nowhere”/);
      expect(portal.stderr()).not.toMatch(/\n\s+at /);
    });

    it('reports which port is in use', async () => {
      const ports = await findFreePorts();
      const otherServer: Server = createServer().listen(ports.port, 'localhost');
      const portal = start(createSeededFolder(), ports);
      expect(await portal.ended).toMatchObject({ exitCode: 1 });
      expect(portal.stderr()).toContain(`Port ${ports.port} is already in use.`);
      expect(portal.stderr()).not.toMatch(/\n\s+at /);
      otherServer.close();
    });

    it('refuses a folder that another portal uses, naming it', async () => {
      const folder = createSeededFolder();
      const portal = start(folder, await findFreePorts());
      await portal.waitUntilReady();
      const second = start(folder, await findFreePorts());
      expect(await second.ended).toMatchObject({ exitCode: 1 });
      expect(second.stderr()).toContain(`The data folder ${folder} is in use by another process (${portal.process.pid}).`);
      expect((await fetchReadiness(portal)).status).toBe(200);
    });
  }
});
