/**
 * The test fixture for every journey. Each worker has its own portal, so that journeys run in parallel. Any browser error or warning fails
 * the test, and `openDevice` opens another browser.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, type BrowserContext, type ConsoleMessage, type Page } from '@playwright/test';
import {
  findFreePorts,
  startPortalProcess,
  type PortalPorts,
  type PortalProcess,
} from '../../apps/server/src/testing/start-portal-process.ts';
import { setSandboxUrl } from './sandbox.ts';

type JourneyOptions = {
  /** Browser errors that the journey expects, such as the 404 for a missing page. */
  expectedBrowserErrors: RegExp[];
};

type Fixtures = {
  /** Opens a new browser context without cookies or storage: another user, or the same user on another device. */
  openDevice: () => Promise<Page>;
};

type WorkerFixtures = {
  ports: PortalPorts;
  /** Additional settings for the portal, beyond the ports and an empty data folder. */
  portalSettings: Readonly<Record<string, string>>;
  portal: Portal;
};

export type Portal = {
  readonly url: string;
  readonly sandboxUrl: string;
  /** The portal's error output so far. */
  readonly errors: () => string;
  /** Stops the server and its sandbox; `start` restores both on the same ports and data. */
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
};

type Watcher = { readonly watch: (context: BrowserContext) => void };

// Chromium logs every response with a status of 400 or above. Rejected calls (wrong file, expired link) are part of the journeys, which
// check them on the screen.
const REJECTED_CALL = /^Failed to load resource: the server responded with a status of (400|401|403|409|422|429) /;

/** HMRC's own 3 calls a second are tested elsewhere. Here, most of a journey's time would go by waiting for them. */
const HMRC_CALLS_PER_SECOND = 100;

async function raiseHmrcLimit(sandboxUrl: string): Promise<void> {
  const response = await fetch(`${sandboxUrl}/control/hmrc-agents/rate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ requests_per_second: HMRC_CALLS_PER_SECOND }),
  });
  if (!response.ok) throw new Error(`the sandbox refused the limit: ${await response.text()}`);
}

export const test = base.extend<JourneyOptions & Fixtures & { watcher: Watcher; portalLog: undefined }, WorkerFixtures>({
  ports: [async ({ playwright: _playwright }, use) => use(await findFreePorts()), { scope: 'worker' }],
  portalSettings: [{}, { option: true, scope: 'worker' }],
  portal: [
    async ({ ports, portalSettings }, use) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'portal-journeys-'));
      const environment = { NODE_ENV: 'test', HMRC_CALLS_PER_SECOND: String(HMRC_CALLS_PER_SECOND), ...portalSettings };
      const startedProcesses: PortalProcess[] = [];
      const start = async (): Promise<void> => {
        const portal = startPortalProcess(dataDir, ports, environment);
        startedProcesses.push(portal);
        await portal.waitUntilReady();
        await raiseHmrcLimit(sandboxUrl);
      };
      const stop = async (): Promise<void> => {
        const portal = startedProcesses.at(-1);
        portal?.process.kill('SIGTERM');
        await portal?.ended;
      };
      const kill = (): unknown => startedProcesses.at(-1)?.process.kill('SIGKILL');
      process.once('exit', kill);
      const sandboxUrl = `http://localhost:${ports.sandboxPort}`;
      await start();
      setSandboxUrl(sandboxUrl);
      const getErrors = (): string => startedProcesses.map(({ stderr }) => stderr()).join('');
      await use({ url: `http://localhost:${ports.port}`, sandboxUrl, errors: getErrors, stop, start });
      await stop();
      process.off('exit', kill);
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
    // A first start can take more than a minute on a busy machine.
    { scope: 'worker', timeout: 240_000 },
  ],
  baseURL: async ({ portal }, use) => use(portal.url),
  portalLog: [
    async ({ portal }, use, testInfo) => {
      const countBefore = portal.errors().length;
      await use(undefined);
      if (testInfo.status !== testInfo.expectedStatus) process.stderr.write(portal.errors().slice(countBefore));
    },
    { auto: true },
  ],
  expectedBrowserErrors: [[], { option: true }],
  watcher: async ({ expectedBrowserErrors }, use) => {
    const errors: string[] = [];
    const record = (text: string, location: string): void => {
      if (REJECTED_CALL.test(text) || expectedBrowserErrors.some((expected) => expected.test(text))) return;
      errors.push(`${text} (${location})`);
    };
    await use({
      watch: (context) => {
        context.on('console', (message: ConsoleMessage) => {
          if (message.type() === 'error' || message.type() === 'warning') record(message.text(), message.location().url);
        });
        context.on('weberror', (error) => record(String(error.error()), error.page()?.url() ?? ''));
      },
    });
    base.expect(errors, 'what the browser complained about').toEqual([]);
  },
  context: async ({ context, watcher }, use) => {
    watcher.watch(context);
    await use(context);
  },
  openDevice: async ({ browser, watcher, contextOptions, baseURL, locale, timezoneId }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async () => {
      const options = { ...contextOptions, ...(baseURL === undefined ? {} : { baseURL }) };
      const context = await browser.newContext({ ...options, ...(locale ? { locale } : {}), ...(timezoneId ? { timezoneId } : {}) });
      contexts.push(context);
      watcher.watch(context);
      return context.newPage();
    });
    await Promise.all(contexts.map((context) => context.close()));
  },
});

export const expect = test.expect;
